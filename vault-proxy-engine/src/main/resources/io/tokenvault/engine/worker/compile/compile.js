// The compiler: a function from a source to {code, requires} or {flaws}.
(function (Babel, lowering, fidelity, rules, helpers) {
  'use strict';
  var checks = rules();

  // A syntax error, in words that need no code frame.
  function flawOf(error) {
    var message = String(error.message || error)
        .split('\n')[0]
        .replace(/^unknown: /, '')
        .replace(/ ?\(\d+:\d+\)$/, '');
    var at = error.loc || framed(error);
    return { line: at.line, column: at.column + 1, message: message };
  }

  // The line that a code frame points at.
  function framed(error) {
    var line = /^> *(\d+) \|/m.exec(String(error.message));
    return { line: line ? Number(line[1]) : 1, column: 0 };
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
      plugins: [function (babel) { return front(babel, run); }].concat(lowering(run.lowerUnicode))
    };
  }

  var LOCATED = {
    ReturnStatement: true, ThrowStatement: true, ExpressionStatement: true,
    VariableDeclaration: true, IfStatement: true
  };

  // A made statement begins where the first of its parts that was in the source did: Rhino tells
  // the line on which a statement begins.
  function locate(babel, node) {
    var first = node.loc || null;
    var keys = babel.types.VISITOR_KEYS[node.type] || [];
    for (var i = 0; i < keys.length; i++) {
      var child = node[keys[i]];
      var children = Array.isArray(child) ? child : [child];
      for (var j = 0; j < children.length; j++) {
        var found = children[j] ? locate(babel, children[j]) : null;
        first = first || found;
      }
    }
    if (!node.loc && first && LOCATED[node.type]) {
      node.loc = { start: first.start, end: first.start };
    }
    return first;
  }

  function front(babel, run) {
    return {
      pre: function (file) {
        if (helpers.isFor(file.code)) {
          helpers.install(babel.types, file, run);
        }
      },
      post: function (file) {
        locate(babel, file.ast.program);
      },
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
          if (run.flaws.length > 0 || run.lowerUnicode && !run.again) {
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

  // Which plugins are needed is known when the checks have run.
  function compiled(source, run) {
    run.requires = [];
    try {
      var code = helpers.filled(Babel.transform(source, options(run)).code, run);
      return { code: code, requires: run.requires };
    } catch (error) {
      if (run.flaws.length > 0) {
        return refused(run.flaws);
      }
      if (error instanceof Stopped && !run.again) {
        run.again = true;
        return compiled(source, run);
      }
      return refused([checks.worded(flawOf(error))]);
    }
  }

  function compile(source, module, builtIns) {
    return compiled(source, {
      flaws: [], requires: [], module: module, builtIns: builtIns, lowerUnicode: false, again: false
    });
  }

  return { compile: compile, helpers: helpers };
})
