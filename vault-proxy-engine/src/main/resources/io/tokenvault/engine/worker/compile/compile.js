// The compiler: a function from a source to {code, lines, columns, requires} or {flaws}.
(function (Babel, lowering, fidelity, checks, helpers) {
  'use strict';

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
      sourceMaps: true,
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

  // A made statement begins where the first of its parts that was in the source did.
  function locate(babel, node) {
    var first = node.loc || null;
    (babel.types.VISITOR_KEYS[node.type] || []).forEach(function (key) {
      [].concat(node[key]).forEach(function (child) {
        var found = child ? locate(babel, child) : null;
        first = first || found;
      });
    });
    if (!node.loc && first && babel.types.isStatement(node)) {
      node.loc = { start: first.start, end: first.start };
    }
    return first;
  }

  // Rhino tells the line on which a statement begins: what was written on several lines becomes
  // several statements, each on a line of its own.
  function split(babel, node) {
    (babel.types.VISITOR_KEYS[node.type] || []).forEach(function (key) {
      var value = node[key];
      if (!Array.isArray(value)) {
        if (value) {
          split(babel, value);
        }
        return;
      }
      value.forEach(function (child) {
        if (child) {
          split(babel, child);
        }
      });
      if (key === 'body' || key === 'consequent') {
        node[key] = [].concat.apply([], value.map(function (child) {
          return parts(babel.types, child);
        }));
      }
    });
  }

  function parts(types, node) {
    if (node.type === 'VariableDeclaration' && node.declarations.length > 1
        && node.declarations.some(function (each) { return each.init !== null; })) {
      return node.declarations.map(function (each) {
        return types.variableDeclaration(node.kind, [each]);
      });
    }
    if (node.type === 'ExpressionStatement' && node.expression.type === 'SequenceExpression') {
      return node.expression.expressions.map(function (each) {
        return types.expressionStatement(each);
      });
    }
    return [node];
  }

  // For each line that was made, the line and column of the source that its first statement comes
  // from; 0 before the first, where what Babel brings itself stands.
  function placesOf(code, mappings) {
    var last = [0, 0];
    return code.split('\n').map(function (text, index) {
      last = sourcePlace(text, mappings[index] || [], last);
      return last;
    });
  }

  // A line after a backslash is the rest of a text.
  function unindented(code) {
    return code.replace(/([^\\]\n) +/g, '$1');
  }

  function sourcePlace(text, segments, otherwise) {
    var closing = null;
    for (var i = 0; i < segments.length; i++) {
      if (segments[i].length < 4) {
        continue;
      }
      if (!/[\s})\];,]/.test(text.charAt(segments[i][0]))) {
        return [segments[i][2] + 1, segments[i][3] + 1];
      }
      closing = closing || [segments[i][2] + 1, segments[i][3] + 1];
    }
    return closing || otherwise;
  }

  function front(babel, run) {
    return {
      pre: function (file) {
        if (helpers.isFor(file.code)) {
          helpers.install(babel.types, file, run);
        }
      },
      post: function (file) {
        split(babel, file.ast.program);
        locate(babel, file.ast.program);
        // They would come before what Babel brings.
        file.ast.program.directives.forEach(function (directive) { directive.loc = null; });
      },
      generatorOverride: function (ast, options, code, generate) {
        var made = generate(ast, options, code);
        run.places = placesOf(made.code, made.decodedMap.mappings);
        return { code: unindented(made.code) };
      },
      parserOverride: function (code, parserOptions, parse) {
        var file = parse(code, parserOptions);
        run.flaws = checks.syntax(file.errors || []);
        if (run.flaws.length === 0 && !run.module) {
          run.flaws = checks.nesting(file.program);
        }
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
      return {
        code: code,
        lines: run.places.map(function (place) { return place[0]; }),
        columns: run.places.map(function (place) { return place[1]; }),
        requires: run.requires
      };
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
