// Rewrites a script with its scopes, before it is lowered, where Babel or Rhino would change what it
// means. What needs no scopes is done by the walk before.
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
    return path.node.start >= this.end || this.hasValueIn(path);
  };

  // Whether a later part of the pattern that declares the variable is evaluated here, such as the
  // second "a" in "const [a, b = a] = list". Its own default comes before it.
  Declared.prototype.hasValueIn = function (path) {
    var name = this.binding.identifier;
    var pattern = this.declarator.node.id;
    if (!(path.node.start >= name.end && path.node.end <= pattern.end)) {
      return false;
    }
    for (var at = path; at.node !== pattern; at = at.parentPath) {
      if (at.parentPath.isAssignmentPattern() && at.key === 'right'
          && at.parent.left.start <= name.start && name.end <= at.parent.left.end) {
        return false;
      }
    }
    return true;
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

  // Whether the pattern that declares a variable calls something after it, such as a function from
  // above that uses it.
  function isFollowedByCall(binding) {
    var found = false;
    if (binding.path.isVariableDeclarator() && !binding.path.get('id').isIdentifier()) {
      binding.path.get('id').traverse({
        'CallExpression|NewExpression|TaggedTemplateExpression': function (call) {
          found = found || call.node.start >= binding.identifier.end;
        }
      });
    }
    return found;
  }

  function guardEarlyUses(binding, tdz) {
    var declared = new Declared(binding);
    var early = binding.referencePaths.concat(binding.constantViolations).filter(function (path) {
      return !declared.isBefore(path, []);
    });
    if (early.length > 0 && isFollowedByCall(binding)) {
      early = early.filter(function (path) { return deferred(path, declared.block) === null; });
    }
    if (early.length === 0) {
      return;
    }
    var name = binding.identifier.name;
    var ready = binding.scope.generateUidIdentifier(name + 'Ready');
    early.forEach(function (path) { guard(path, ready, name, tdz); });
    var set = t.assignmentExpression('=', id(ready), t.booleanLiteral(true));
    if (binding.path.getNextSibling().isVariableDeclarator()) {
      binding.path.insertAfter(
          t.variableDeclarator(binding.scope.generateUidIdentifier('set'), set));
    } else {
      var statement = binding.path.isClassDeclaration() ? binding.path : binding.path.parentPath;
      statement.insertAfter(t.expressionStatement(set));
    }
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

  // Whether something was guarded.
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
    return helper !== null;
  }

  // ---- a[i++] = await x, a[i++] += await x: the left side comes first, and once

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
    if (t.LOGICAL_OPERATORS.indexOf(path.node.operator.slice(0, -1)) >= 0
        || !left.isMemberExpression() || left.get('object').isSuper()
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

  // Whether something was renamed.
  function renameReserved(scopes) {
    var renamed = false;
    scopes.forEach(function (scope) {
      RESERVED.forEach(function (name) {
        if (Object.prototype.hasOwnProperty.call(scope.bindings, name)) {
          scope.rename(name);
          renamed = true;
        }
      });
    });
    return renamed;
  }

  // The scopes are those of a traversal; modules are guarded only where they have reserved names:
  // what works in Node.js uses nothing early.
  return function (program, run) {
    program.node.interpreter = null;
    var changed = renameReserved(run.scopes);
    changed = !run.module && guardAll(program, run.scopes) || changed;
    if (run.found.lateTarget) {
      program.traverse({ AssignmentExpression: { exit: targetFirst } });
    }
    if (changed) {
      program.scope.crawl();
    }
  };
})
