// Rewrites a script, before it is lowered, where Babel or Rhino would change what it means.
(function (babel) {
  'use strict';
  var t = babel.types;
  var RESERVED = ['await', 'let', 'yield'];

  function id(node) {
    return t.cloneNode(node);
  }

  // ---- Bindings used before they are initialised

  function deferred(path, stop) {
    // The outermost function between a path and a scope: what is in it happens later.
    var outermost = null;
    for (var at = path; at && at !== stop; at = at.parentPath) {
      if (at.isFunction()
          || (at.isClassProperty() || at.isClassPrivateProperty()) && !at.node.static) {
        outermost = at;
      }
    }
    return outermost;
  }

  function caseOf(path, stop) {
    for (var at = path; at && at !== stop; at = at.parentPath) {
      if (at.isSwitchCase()) {
        return at.node;
      }
    }
    return null;
  }

  function Declared(binding) {
    this.binding = binding;
    this.block = binding.scope.path;
    this.declarator = binding.path;
    this.start = binding.path.node.start;
    this.end = binding.path.node.end;
  }

  Declared.prototype.follows = function (path) {
    if (this.block.isSwitchStatement()
        && caseOf(path, this.block) !== caseOf(this.declarator, this.block)) {
      return false;
    }
    return path.node.start >= this.end;
  };

  // Whether what stands here cannot run before the declaration has.
  Declared.prototype.isBefore = function (path, seen) {
    if (this.declarator.isClassDeclaration() && path.node.start > this.start
        && path.node.end < this.end) {
      return true;
    }
    var later = deferred(path, this.block);
    if (later === null || this.follows(later) && !later.isFunctionDeclaration()) {
      return this.follows(later || path);
    }
    if (later.node === this.declarator.node.init) {
      return true;
    }
    return later.isFunctionDeclaration() && this.isCalledAfter(later, seen);
  };

  Declared.prototype.isCalledAfter = function (declaration, seen) {
    if (seen.indexOf(declaration.node) >= 0) {
      return true;
    }
    seen.push(declaration.node);
    var called = declaration.node.id
        && declaration.parentPath.scope.getBinding(declaration.node.id.name);
    if (!called || called.constantViolations.length > 0) {
      return false;
    }
    var self = this;
    return called.referencePaths.every(function (reference) {
      return reference.findParent(function (parent) { return parent === self.block; })
          ? self.isBefore(reference, seen) : false;
    });
  };

  function guarded(ready, name, tdz) {
    return t.logicalExpression('||', id(ready),
        t.callExpression(id(tdz()), [t.stringLiteral(name)]));
  }

  function guard(path, ready, name, tdz) {
    if (path.isIdentifier()) {
      if (path.parentPath.isUpdateExpression()) {
        return;
      }
      if (path.parentPath.isObjectProperty() && path.parent.shorthand) {
        path.parent.shorthand = false;
      }
      path.replaceWith(t.conditionalExpression(id(ready), id(path.node),
          t.callExpression(id(tdz()), [t.stringLiteral(name)])));
      path.skip();
    } else if (path.isAssignmentExpression() || path.isUpdateExpression()) {
      path.replaceWith(t.sequenceExpression([guarded(ready, name, tdz), path.node]));
      path.skip();
    }
  }

  function tracks(binding) {
    var path = binding.path;
    if (binding.kind !== 'let' && binding.kind !== 'const') {
      return false;
    }
    if (path.isClassDeclaration()) {
      return path.parentPath.isBlock() || path.parentPath.isSwitchCase();
    }
    return path.isVariableDeclarator()
        && (path.parentPath.parentPath.isBlock() || path.parentPath.parentPath.isSwitchCase());
  }

  function guardEarlyUses(binding, tdz) {
    var declared = new Declared(binding);
    var early = binding.referencePaths.concat(binding.constantViolations).filter(function (path) {
      return !declared.isBefore(path, []);
    });
    if (early.length === 0) {
      return;
    }
    var name = binding.identifier.name;
    var ready = binding.scope.generateUidIdentifier(name + 'Ready');
    early.forEach(function (path) { guard(path, ready, name, tdz); });
    var statement = binding.path.isClassDeclaration() ? binding.path : binding.path.parentPath;
    statement.insertAfter(t.expressionStatement(
        t.assignmentExpression('=', id(ready), t.booleanLiteral(true))));
    var flag = t.variableDeclaration('let',
        [t.variableDeclarator(id(ready), t.booleanLiteral(false))]);
    var block = binding.scope.path;
    if (block.isSwitchStatement()) {
      block.insertBefore(flag);
    } else if (block.isFunction()) {
      block.get('body').unshiftContainer('body', flag);
    } else {
      block.unshiftContainer('body', flag);
    }
  }

  function allScopes(program) {
    var scopes = [program.scope];
    program.traverse({
      Scopable: function (path) {
        if (path.scope.path === path) {
          scopes.push(path.scope);
        }
      }
    });
    return scopes;
  }

  function guardAll(program, scopes) {
    var helper = null;
    var tdz = function () {
      helper = helper || program.scope.generateUidIdentifier('tdz');
      return helper;
    };
    scopes.forEach(function (scope) {
      Object.keys(scope.bindings).forEach(function (name) {
        if (tracks(scope.bindings[name])) {
          guardEarlyUses(scope.bindings[name], tdz);
        }
      });
    });
    if (helper) {
      program.unshiftContainer('body', babel.template.statement.ast(
          'function ' + helper.name + '(name) {'
          + "throw new ReferenceError(\"Cannot access '\" + name + \"' before initialization\");}"));
    }
  }

  // ---- this of strict functions, which Rhino takes for the global object

  var ownThis = {
    ThisExpression: function (path) {
      this.found.push(path);
    },
    Function: function (path) {
      if (!path.isArrowFunctionExpression()) {
        path.skip();
        if (path.isMethod() && path.node.computed) {
          path.requeue(path.get('key'));
        }
      }
    },
    ClassProperty: function (path) { path.skip(); },
    ClassPrivateProperty: function (path) { path.skip(); },
    StaticBlock: function (path) { path.skip(); }
  };

  function strictThis(path) {
    if (path.isArrowFunctionExpression() || (path.node.kind && path.node.kind !== 'method')
        || !path.isInStrictMode()) {
      return;
    }
    var uses = { found: [] };
    path.get('body').traverse(ownThis, uses);
    if (uses.found.length === 0) {
      return;
    }
    var self = path.scope.generateUidIdentifier('self');
    uses.found.forEach(function (use) { use.replaceWith(id(self)); });
    path.get('body').unshiftContainer('body', babel.template.statement.ast(
        'var ' + self.name + ' = this === globalThis ? void 0 : this;'));
  }

  // ---- a[i++] = await x: the left side comes first

  function awaits(path) {
    var found = path.isAwaitExpression() || path.isYieldExpression();
    path.traverse({
      Function: function (inner) { inner.skip(); },
      AwaitExpression: function () { found = true; },
      YieldExpression: function () { found = true; }
    });
    return found;
  }

  function fixed(path) {
    if (path.isThisExpression() || path.isLiteral() && !path.isTemplateLiteral()) {
      return true;
    }
    if (path.isIdentifier()) {
      var binding = path.scope.getBinding(path.node.name);
      return Boolean(binding && binding.constant);
    }
    return false;
  }

  function targetFirst(path) {
    var left = path.get('left');
    if (path.node.operator !== '=' || !left.isMemberExpression() || left.get('object').isSuper()
        || left.get('property').isPrivateName() || !awaits(path.get('right'))) {
      return;
    }
    var steps = [];
    var hold = function (part) {
      if (!fixed(part)) {
        var kept = path.scope.generateDeclaredUidIdentifier('target');
        steps.push(t.assignmentExpression('=', id(kept), part.node));
        part.replaceWith(id(kept));
      }
    };
    hold(left.get('object'));
    if (left.node.computed) {
      hold(left.get('property'));
    }
    if (steps.length > 0) {
      path.replaceWith(t.sequenceExpression(steps.concat([path.node])));
    }
  }

  // ---- Names of functions and classes, which lowering loses

  function isAnonymous(node) {
    return node.type === 'ArrowFunctionExpression'
        || (node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id;
  }

  function hasOwnName(node) {
    return node.type === 'ClassExpression' && node.body.body.some(function (member) {
      return member.static && !member.computed && member.key && member.key.name === 'name';
    });
  }

  function nameAnonymous(path, name, named) {
    if (isAnonymous(path.node) && !hasOwnName(path.node)) {
      path.replaceWith(t.callExpression(id(named()), [path.node, t.stringLiteral(name)]));
    }
  }

  function keyOf(node) {
    return node.computed ? null
        : node.key.type === 'Identifier' ? node.key.name : String(node.key.value);
  }

  // Babel gives a name to a class without one, and none to functions that are defaults or fields.
  function nameFunctions(program) {
    var helper = null;
    var named = function () {
      helper = helper || program.scope.generateUidIdentifier('named');
      return helper;
    };
    program.traverse({
      AssignmentPattern: function (path) {
        if (path.node.left.type === 'Identifier') {
          nameAnonymous(path.get('right'), path.node.left.name, named);
        }
      },
      ClassProperty: function (path) {
        var key = keyOf(path.node);
        if (key !== null && path.node.value) {
          nameAnonymous(path.get('value'), key, named);
        }
      },
      ClassExpression: function (path) {
        if (!isNamedByParent(path, helper)) {
          nameAnonymous(path, '', named);
        }
      }
    });
    if (helper) {
      program.unshiftContainer('body', babel.template.statement.ast(
          'function ' + helper.name + '(value, name) {'
          + "return Object.defineProperty(value, 'name', {value: name, configurable: true});}"));
    }
  }

  function isNamedByParent(path, helper) {
    var parent = path.parentPath;
    return parent.isVariableDeclarator() || parent.isProperty() || parent.isAssignmentPattern()
        || parent.isAssignmentExpression() && parent.node.left.type === 'Identifier'
        || helper !== null && parent.isCallExpression()
            && parent.node.callee.name === helper.name;
  }

  // ---- this before super(), which Babel checks only where it is no object of a member

  function checkThisBeforeSuper(path) {
    if (path.node.kind !== 'constructor' || !path.parentPath.parentPath.node.superClass) {
      return;
    }
    var first = path.node.body.body[0];
    if (first && first.type === 'ExpressionStatement' && first.expression.type === 'CallExpression'
        && first.expression.callee.type === 'Super') {
      return;
    }
    var uses = { found: [] };
    path.get('body').traverse(ownThis, uses);
    uses.found.forEach(function (use) {
      if (use.parentPath.isMemberExpression() && use.key === 'object') {
        use.replaceWith(t.sequenceExpression([t.numericLiteral(0), t.thisExpression()]));
      }
    });
  }

  // ---- Text that Rhino's scanner would change

  function ascii(text) {
    return text.replace(/[^\x00-\x7f]/g, function (unit) {
      return '\\u' + ('000' + unit.charCodeAt(0).toString(16)).slice(-4);
    });
  }

  // { 1n: ... }
  function bigKey(path) {
    if (!path.node.computed && path.node.key.type === 'BigIntLiteral') {
      path.node.key = t.stringLiteral(String(BigInt(path.node.key.value)));
    }
  }

  var rewrites = {
    Function: strictThis,
    AssignmentExpression: { exit: targetFirst },
    StringLiteral: function (path) {
      if (path.node.extra && /[^\x00-\x7f]/.test(path.node.extra.raw)) {
        delete path.node.extra;
      }
    },
    ObjectProperty: bigKey,
    ObjectMethod: bigKey,
    // A copy has no holes, but Babel takes an array that it knows as it is.
    SpreadElement: function (path) {
      if (path.node.argument.type === 'Identifier' && path.node.argument.name !== 'arguments') {
        path.node.argument = t.sequenceExpression([t.numericLiteral(0), path.node.argument]);
      }
    },
    ClassMethod: checkThisBeforeSuper,
    RegExpLiteral: function (path) {
      path.node.pattern = path.node.pattern.replace(
          /[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
          ascii);
      delete path.node.extra;
    }
  };

  function renameReserved(scopes) {
    scopes.forEach(function (scope) {
      RESERVED.forEach(function (name) {
        if (Object.prototype.hasOwnProperty.call(scope.bindings, name)) {
          scope.rename(name);
        }
      });
    });
  }

  return function (program) {
    program.node.interpreter = null;
    var scopes = allScopes(program);
    renameReserved(scopes);
    guardAll(program, scopes);
    nameFunctions(program);
    program.traverse(rewrites);
    program.scope.crawl();
  };
})
