// What is rejected when code is saved: syntax errors, code that exports no function, and constructs
// that would not do here what they do in Node.js.
(function (regExps) {
  'use strict';

  var RECOVERED = {
    ImportOutsideModule: null,
    ImportMetaOutsideModule: null,
    StrictWith: null,
    AwaitNotInAsyncContext: '"await" is outside of an async function; move it into the'
        + ' function that is exported'
  };

  var PROPOSALS = /^This experimental syntax requires|^Support for the experimental syntax/;

  function at(node, message) {
    var start = node.loc ? node.loc.start : { line: 1, column: 0 };
    return { line: start.line, column: start.column + 1, message: message };
  }

  function worded(flaw) {
    if (PROPOSALS.test(flaw.message) || flaw.message.indexOf('requires enabling') >= 0) {
      flaw.message = 'This is not JavaScript as Node.js 16 runs it: JSX, types, decorators and'
          + ' proposals have to be compiled before';
    }
    if (/call stack|stack depth|too much recursion/i.test(flaw.message)) {
      return { line: 1, column: 1, message: 'The code is too deeply nested' };
    }
    return flaw;
  }

  function syntax(errors) {
    var flaws = [];
    for (var i = 0; i < errors.length; i++) {
      var error = errors[i];
      var known = Object.prototype.hasOwnProperty.call(RECOVERED, error.reasonCode);
      if (known && RECOVERED[error.reasonCode] === null) {
        continue;
      }
      var flaw = worded({
        line: error.loc.line,
        column: error.loc.column + 1,
        message: known ? RECOVERED[error.reasonCode]
            : error.message.replace(/ ?\(\d+:\d+\)$/, '')
      });
      if (!known) {
        flaw.fatal = true;
        return [flaw];
      }
      flaws.push(flaw);
    }
    return flaws;
  }

  // Lowering takes time by the third power of the depth, most for what can be suspended.
  var DEEPEST = 20;
  var DEEPEST_SUSPENDED = 8;

  function nesting(program) {
    var open = [{ node: program, depth: 0, suspended: 0 }];
    while (open.length > 0) {
      var next = open.pop();
      var node = next.node;
      var depth = next.depth + (/Function|Method$|^Class(Decl|Expr)/.test(node.type) ? 1 : 0);
      var suspended = next.suspended + (node.async || node.generator ? 1 : 0);
      if (depth > DEEPEST || suspended > DEEPEST_SUSPENDED) {
        var flaw = at(node, depth > DEEPEST
            ? 'Functions and classes are nested more than ' + DEEPEST + ' deep'
            : 'Async functions and generators are nested more than ' + DEEPEST_SUSPENDED + ' deep');
        flaw.fatal = true;
        return [flaw];
      }
      children(node).forEach(function (child) {
        open.push({ node: child, depth: depth, suspended: suspended });
      });
    }
    return [];
  }

  function children(node) {
    var found = [];
    Object.keys(node).forEach(function (key) {
      [].concat(node[key]).forEach(function (value) {
        if (value && typeof value.type === 'string' && key.indexOf('Comments') < 0) {
          found.push(value);
        }
      });
    });
    return found;
  }

  function literal(node) {
    if (node.type === 'StringLiteral') {
      return node.value;
    }
    if (node.type === 'TemplateLiteral' && node.expressions.length === 0) {
      return node.quasis[0].value.cooked;
    }
    return null;
  }

  function Checks(run, types) {
    this.run = run;
    this.types = types;
    this.exported = false;
  }

  Checks.prototype.refuse = function (node, message) {
    this.run.flaws.push(at(node, message));
  };

  // A computed name is looked up when the code runs.
  Checks.prototype.required = function (call) {
    var name = call.arguments.length > 0 ? literal(call.arguments[0]) : null;
    if (name !== null && !this.run.builtIns[name] && this.run.requires.indexOf(name) < 0) {
      this.run.requires.push(name);
    }
  };

  Checks.prototype.ofModules = function (node) {
    this.refuse(node, node.type === 'ImportDeclaration'
        ? '"import" is not possible; use const ... = require(\'...\')'
        : '"export" is not possible; use module.exports = ...');
  };

  Checks.prototype.importCall = function (node) {
    this.refuse(node, '"import()" is not possible; use require(\'...\')');
  };

  Checks.prototype.metaProperty = function (node) {
    if (node.meta.name === 'import') {
      this.refuse(node, '"import.meta" is not possible in a CommonJS module');
    }
  };

  Checks.prototype.withStatement = function (node) {
    this.refuse(node, '"with" is not possible; name the object at each use');
  };

  // A name that the script does not declare.
  Checks.prototype.global = function (path) {
    var name = path.node.name;
    if (name === 'module' || name === 'exports') {
      this.exported = true;
    } else if (name === 'RegExp') {
      this.regExpOf(path);
    }
  };

  Checks.prototype.regExpOf = function (path) {
    var parent = path.parentPath;
    if (path.key !== 'callee' || !(parent.isCallExpression() || parent.isNewExpression())) {
      return;
    }
    var values = parent.node.arguments.map(literal);
    if (values.length > 0 && values[0] !== null && values[1] !== null) {
      var flags = values[1] || '';
      var pattern = regExps.adapted(values[0], flags);
      parent.node.arguments[0] = this.types.stringLiteral(pattern);
      this.pattern(parent.node, pattern, flags);
    }
  };

  // A module may try out, by "new RegExp", what the engine knows: it then throws when it runs.
  Checks.prototype.pattern = function (node, pattern, flags) {
    var isLiteral = node.type === 'RegExpLiteral';
    var wrong = regExps.misread(pattern, flags);
    if (/[dv]/.test(flags)) {
      if (isLiteral || !this.run.module) {
        this.refuse(node, 'The flag "' + (flags.indexOf('d') >= 0 ? 'd' : 'v')
            + '" of regular expressions is not possible here; '
            + (flags.indexOf('d') >= 0 ? 'use the index of the match' : 'use the flag "u"'));
      }
    } else if (wrong !== null) {
      this.refuse(node, wrong);
    } else if (regExps.needsTables(pattern, flags)) {
      if (isLiteral) {
        this.run.lowerUnicode = true;
      } else if (!this.run.module) {
        this.refuse(node, 'new RegExp cannot have this here; write the regular expression as a'
            + ' literal');
      }
    } else if (isLiteral && !regExps.isKnown(pattern, flags)) {
      this.refuse(node, 'This is not a regular expression');
    }
  };

  Checks.prototype.topLevel = function (path, names) {
    var self = this;
    names.forEach(function (name) {
      var binding = path.scope.bindings[name];
      if (!binding) {
        return;
      }
      if (name === 'module' || name === 'exports') {
        self.exported = true;
      }
      if (binding.kind === 'let' || binding.kind === 'const') {
        self.refuse(binding.identifier, '"' + name + '" has already been declared; choose another'
            + ' name');
      }
    });
  };

  // What takes scopes to decide, which are collected on the way.
  function visitor(checks, scopes) {
    return {
      Scopable: function (path) {
        if (path.scope.path === path) {
          scopes.push(path.scope);
        }
      },
      ReferencedIdentifier: function (path) {
        if (!path.scope.hasBinding(path.node.name, true)) {
          checks.global(path);
        }
      },
      AssignmentExpression: function (path) {
        var left = path.node.left;
        if (left.type === 'Identifier' && left.name === 'exports') {
          checks.exported = true;
        }
        checks.exportOf(path);
      },
      ThisExpression: function (path) {
        if (path.findParent(function (parent) {
          return parent.isFunction() && !parent.isArrowFunctionExpression() || parent.isClass();
        }) === null) {
          checks.exported = true;
        }
      },
      ForStatement: function (path) {
        checks.loopHead(path);
      },
      FunctionDeclaration: function (path) {
        checks.blockFunction(path);
      }
    };
  }

  function isPrototype(property) {
    return property.type === 'ObjectProperty' && !property.computed && !property.shorthand
        && (property.key.name === '__proto__' || property.key.value === '__proto__');
  }

  // Behind a computed name or a spread, the lowered literal gets a property of that name.
  Checks.prototype.isLoweredPrototype = function (node, property) {
    return isPrototype(property) && node.properties.some(function (each) {
      return each.type === 'SpreadElement' || each.computed;
    });
  };

  Checks.prototype.prototypeOf = function (node) {
    var self = this;
    var named = node.properties.filter(function (each) {
      return self.isLoweredPrototype(node, each);
    });
    if (named.length > 0) {
      this.refuse(named[0], '"__proto__:" is not possible in a literal with computed names or'
          + ' "..."; use Object.setPrototypeOf');
    }
  };

  // module.exports = class ..., or a name of one; the same of a generator.
  Checks.prototype.exportOf = function (path) {
    var left = path.node.left;
    if (this.run.module || left.type !== 'MemberExpression' || left.object.type !== 'Identifier'
        || !(left.object.name === 'module' && left.property.name === 'exports'
            || left.object.name === 'exports' && left.property.name === 'default')) {
      return;
    }
    var value = path.node.right;
    while (value.type === 'AssignmentExpression') {
      value = value.right;
    }
    if (this.run.named && value.type === 'CallExpression' && value.callee.name === this.run.named) {
      value = value.arguments[0];
    }
    var bound = value.type === 'Identifier' && path.scope.getBinding(value.name);
    var made = bound && bound.constant
        ? bound.path.isVariableDeclarator() ? bound.path.node.init : bound.path.node : value;
    if (made && /^Class(Decl|Expr)/.test(made.type)) {
      this.refuse(value, 'The export is a class, which cannot be called; export a function');
    } else if (made && made.generator) {
      this.refuse(value, 'The export is a generator; export a function, such as async (req) =>'
          + ' { ... }');
    }
  };

  // for (let i = 0, f = () => i; ...): each turn has its own i, which the lowered loop has not.
  Checks.prototype.loopHead = function (path) {
    var self = this;
    if (!path.get('init').isVariableDeclaration() || path.node.init.kind === 'var') {
      return;
    }
    Object.keys(path.scope.bindings).forEach(function (name) {
      path.scope.bindings[name].referencePaths.forEach(function (use) {
        var inFunction = use.findParent(function (parent) {
          return parent === path || parent.isFunction();
        });
        if (inFunction !== path && !inFunction.findParent(function (parent) {
          return parent.key === 'body' && parent.parentPath === path;
        }) && inFunction.key !== 'body') {
          self.refuse(use.node, 'A function in the head of a loop uses the loop\'s variable "'
              + name + '"; declare the function before the loop or in its body');
        }
      });
    });
  };

  // Whether a function (or the module, if it is null) has or uses a variable.
  function concerns(binding, owner) {
    return !owner || binding.referencePaths.concat(binding.constantViolations, binding.path)
        .some(function (use) { return use === owner || use.isDescendant(owner); });
  }

  // Sloppy code sees a function of a block outside of the block; lowered code does not always.
  Checks.prototype.blockFunction = function (path) {
    var block = path.parentPath;
    if (!(block.isBlockStatement() || block.isSwitchCase()) || block.parentPath.isFunction()
        || path.isInStrictMode() || path.node.async || path.node.generator) {
      return;
    }
    var name = path.node.id.name;
    var scope = path.scope.parent;
    var hidden = scope.parent && scope.parent.getBinding(name);
    if (hidden && concerns(hidden, path.getFunctionParent())) {
      this.refuse(path.node.id, 'The function "' + name + '" is declared in a block and hides another "'
          + name + '"; give one of them another name');
    } else if (Object.prototype.hasOwnProperty.call(scope.getProgramParent().globals, name)
        && path.findParent(function (at) { return at.isLoop() || at.isFunction() || at.isProgram(); })
            .isLoop()) {
      this.refuse(path.node.id, 'The function "' + name + '" is declared in a loop and used outside'
          + ' of it; declare it before the loop');
    }
  };

  // A module is only looked at more closely where the walk found a reason to.
  function program(path, run) {
    var checks = run.checks;
    run.scopes = [path.scope];
    if (!run.module || run.found.scopedCheck || run.found.reserved) {
      path.traverse(visitor(checks, run.scopes));
    }
    checks.topLevel(path, ['exports', 'require', 'module', '__filename', '__dirname']);
    if (!run.module && !checks.exported) {
      run.flaws.push({
        line: 1, column: 1,
        message: 'The code must export a function: module.exports = async (args) => { ... }'
      });
    }
  }

  function sorted(flaws) {
    return flaws.sort(function (a, b) { return a.line - b.line || a.column - b.column; });
  }

  function of(run, types) {
    return new Checks(run, types);
  }

  return {
    syntax: syntax, nesting: nesting, worded: worded, of: of, program: program, sorted: sorted
  };
})
