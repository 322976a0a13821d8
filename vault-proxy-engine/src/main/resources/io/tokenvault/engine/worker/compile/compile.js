// The compiler: a function from a source to {code, requires} or {flaws}.
(function (Babel, lowering, fidelity, rules) {
  'use strict';
  var checks = rules();

  // A syntax error, in words that need no code frame.
  function flawOf(error, fallback) {
    var message = String(error.message || error)
        .split('\n')[0]
        .replace(/^unknown: /, '')
        .replace(/ ?\(\d+:\d+\)$/, '');
    var at = error.loc || fallback || { line: 1, column: 0 };
    return { line: at.line, column: at.column + 1, message: message };
  }

  function Stopped() {}

  function options(run) {
    return {
      configFile: false,
      babelrc: false,
      sourceType: 'script',
      retainLines: true,
      compact: false,
      comments: false,
      highlightCode: false,
      parserOpts: {
        allowReturnOutsideFunction: true,
        allowNewTargetOutsideFunction: true,
        allowAwaitOutsideFunction: false,
        errorRecovery: true
      },
      plugins: [function (babel) { return front(babel, run); }].concat(lowering(false))
    };
  }

  function front(babel, run) {
    return {
      parserOverride: function (code, parserOptions, parse) {
        var file = parse(code, parserOptions);
        run.flaws = checks.syntax(file.errors || []);
        if (run.flaws.some(function (flaw) { return flaw.fatal; })) {
          throw new Stopped();
        }
        return file;
      },
      visitor: {
        Program: function (path) {
          checks.program(babel, path, run);
          if (run.flaws.length > 0) {
            throw new Stopped();
          }
          fidelity(babel)(path);
        }
      }
    };
  }

  function refused(flaws) {
    return { flaws: flaws };
  }

  return function (source, module, builtIns) {
    var run = { flaws: [], requires: [], module: module, builtIns: builtIns };
    try {
      var code = Babel.transform(source, options(run)).code;
      return { code: code, requires: run.requires };
    } catch (error) {
      if (run.flaws.length > 0) {
        return refused(run.flaws);
      }
      return refused([checks.worded(flawOf(error), error)]);
    }
  };
})
