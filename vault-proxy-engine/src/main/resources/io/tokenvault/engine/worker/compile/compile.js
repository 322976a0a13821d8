// The compiler: a function from a source to {code, places, requires} or {flaws}.
(function (Babel, lowering, walk, fidelity, checks, helpers, esModules) {
  'use strict';
  var PARSER = {
    sourceType: 'script',
    allowReturnOutsideFunction: true,
    allowNewTargetOutsideFunction: true,
    allowAwaitOutsideFunction: false,
    attachComment: false,
    errorRecovery: true
  };

  // A syntax error, in words that need no code frame.
  function flawOf(error) {
    var message = String(error.message || error)
        .split('\n')[0]
        .replace(/^unknown( file)?: /, '')
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

  // The compilation under way. Babel keeps every plugin that it was ever given, so the plugin is always
  // the same and has none of its own.
  var run = null;

  function options() {
    return {
      configFile: false,
      babelrc: false,
      sourceType: 'script',
      sourceMaps: true,
      compact: false,
      comments: false,
      highlightCode: false,
      cloneInputAst: false,
      plugins: [front].concat(lowering(run.found))
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
    named(node);
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

  // A function that is declared in a generator has become "f = function _f() {}". It gets its name
  // again, which in it then stands for itself, unless the script assigns to it. The same for the value
  // of a variable that has another name than in the script, where its block has hidden another; names
  // that cannot stand in the compiled code stay changed.
  function named(node) {
    var left = node.type === 'VariableDeclarator' ? node.id : node.left;
    var name = left && left.loc && left.loc.identifierName;
    var value = name && (node.type === 'VariableDeclarator' ? node.init : node.right);
    if (!value) {
      return;
    }
    if (name !== left.name) {
      if (!run.found.esModule && !run.found.reserved) {
        rename(wrapped(value), name, left.loc);
      }
    } else if (node.type === 'AssignmentExpression' && !value.loc && !run.assigned['$' + name]) {
      rename(value, name, null);
    }
  }

  // A name that the script has itself stays.
  function rename(value, name, place) {
    if (value.type === 'FunctionExpression' && value.id && (!value.id.loc || value.id.loc === place)) {
      value.id.name = name;
    }
  }

  // What the function around an async one returns.
  function wrapped(value) {
    var body = value.type === 'CallExpression' && value.callee.type === 'FunctionExpression'
        && value.callee.body.body;
    var last = body && body[body.length - 1];
    return last && last.type === 'ReturnStatement' && last.argument ? last.argument : value;
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

  function front(babel) {
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
      visitor: {
        Program: function (path) {
          if (run.found.esModule || run.imported) {
            esModules.convert(path, run);
          }
          checks.program(path, run);
          if (run.flaws.length > 0) {
            throw new Stopped();
          }
          fidelity(babel)(path, run);
        }
      }
    };
  }

  function refused(flaws) {
    return { flaws: checks.sorted(flaws) };
  }

  // The script as it was parsed, with what can be rewritten without scopes; null if there are flaws
  // that leave nothing to look at.
  function parsed(source) {
    var types = Babel.types;
    var file = Babel.parse(source, PARSER);
    run.flaws = checks.syntax(file.errors || []);
    if (run.flaws.length === 0 && !run.module) {
      run.flaws = checks.nesting(file.program);
    }
    if (run.flaws.some(function (flaw) { return flaw.fatal; })) {
      return null;
    }
    run.checks = checks.of(run, types);
    walk(types, file, run, run.checks);
    run.found.unicode = run.lowerUnicode;
    return run.module && run.flaws.length > 0 ? null : file;
  }

  function compiled(source) {
    try {
      var file = parsed(source);
      if (file === null) {
        return refused(run.flaws);
      }
      var code = helpers.filled(Babel.transformFromAst(file, source, options()).code, run);
      return {
        code: code,
        places: run.places.map(function (place) { return place.join(','); }).join(' '),
        requires: run.requires
      };
    } catch (error) {
      return refused(run.flaws.length > 0 ? run.flaws : [checks.worded(flawOf(error))]);
    } finally {
      // Rhino's weak maps keep what their values refer to: every script that was ever compiled.
      Babel.traverse.cache.clear();
      run = null;
    }
  }

  function compile(source, module, builtIns) {
    run = {
      flaws: [], requires: [], module: module, builtIns: builtIns, found: {}, assigned: {},
      lowerUnicode: false
    };
    return compiled(source);
  }

  return { compile: compile, helpers: helpers };
})
