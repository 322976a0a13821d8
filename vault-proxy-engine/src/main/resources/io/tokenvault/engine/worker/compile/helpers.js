// Babel's helpers, which it would parse, lower and print again for each source that needs them,
// kept as text. Their names are of our own, which no other name begins with.
(function (Babel, lowering, texts) {
  'use strict';
  var OURS = 'vault$';
  var PLACE = OURS + 'helpers';
  // Helpers are lowered by all plugins but those of regular expressions.
  var ALL = {};
  ['class', 'ClassProperty', 'separators', 'logicalAssignment', 'OptionalMemberExpression',
    'jsonStrings', 'optionalCatch', 'asyncGenerator', 'objectRest', 'generator', 'TemplateLiteral',
    'literals', 'Super', 'ObjectExpression'].forEach(function (each) { ALL[each] = true; });
  // Workers have these in Java.
  var NATIVE = ['objectSpread2', 'objectWithoutProperties', 'defineProperty', 'slicedToArray',
    'toConsumableArray', 'createForOfIteratorHelper'];
  // And these, unless the script has generators of its own.
  var ASYNC = ['regenerator', 'regeneratorValues', 'asyncToGenerator'];
  var ASYNC_GENERATOR = 'wrapAsyncGenerator';
  var DELEGATE = 'asyncGeneratorDelegate';
  var hasOwn = Object.prototype.hasOwnProperty;

  // Babel takes for a helper what this returns, and brings its own if it returns nothing.
  function install(types, file, run) {
    run.helpers = {};

    function bring(name) {
      if (hasOwn.call(run.helpers, name)) {
        return;
      }
      if (NATIVE.indexOf(name) >= 0 || (!run.found.ownGenerator && ASYNC.indexOf(name) >= 0)) {
        run.helpers[name] = '';
        return;
      }
      run.helpers[name] = texts[name].text;
      texts[name].needs.forEach(bring);
      texts[name].globals.forEach(function (global) {
        if (file.scope.hasBinding(global, true)) {
          file.scope.rename(global);
        }
      });
    }

    file.set('helperGenerator', function (name) {
      if (!hasOwn.call(texts, name)) {
        return null;
      }
      if (Object.keys(run.helpers).length === 0) {
        file.path.unshiftContainer('body', types.expressionStatement(types.identifier(PLACE)));
      }
      bring(name);
      return types.identifier(OURS + name);
    });
  }

  function isFor(source) {
    return source.indexOf(OURS) < 0;
  }

  // The code with the helpers in their place, which is behind its directives.
  function filled(code, run) {
    if (!run.helpers) {
      return code;
    }
    var text = Object.keys(run.helpers).map(function (name) { return run.helpers[name]; });
    return code.replace(PLACE + ';', function () { return text.join(''); });
  }

  // Scripts find the prototype of all async iterators by way of the parent of async generator
  // functions, which those of Babel do not have.
  function inherit(babel, path) {
    path.pushContainer('body', babel.template.statements.ast(
        'var parent = Object.create(Function.prototype, { prototype: { value: AsyncGenerator.prototype } });'
        + 'Object.setPrototypeOf(AsyncGenerator.prototype, {'
        + '  [Symbol.asyncIterator]: AsyncGenerator.prototype[Symbol.asyncIterator] });'));
    path.traverse({
      ReturnStatement: function (returned) {
        if (returned.get('argument').isFunctionExpression()) {
          returned.get('argument').replaceWith(babel.types.callExpression(
              babel.template.expression.ast('Object.setPrototypeOf'),
              [returned.node.argument, babel.types.identifier('parent')]));
          returned.stop();
        }
      }
    });
  }

  // Babel's "yield*" passes on what an iterator rejects with by its own method "throw", which it has
  // only if the iterator has one: it needs it also while it waits for the iterator.
  function passOnRejections(babel, path) {
    path.traverse({
      AssignmentExpression: function (assigned) {
        var left = assigned.node.left;
        if (left.type === 'MemberExpression' && (left.property.name || left.property.value) === 'throw') {
          var method = assigned.node.right;
          assigned.parentPath.replaceWith(babel.template.expression(
              'Object.defineProperty(ITERATOR, "throw", { get: function () {'
              + '  return WAITING || HAS ? METHOD : void 0; } })')({
            ITERATOR: left.object,
            WAITING: babel.types.cloneNode(method.body.body[0].test),
            HAS: assigned.parent.left,
            METHOD: method
          }));
          assigned.stop();
        }
      }
    });
  }

  // A helper as Babel brings it into a source.
  function made(name) {
    var helper = { needs: [], globals: [], text: '' };
    var uid = null;

    function brought(types, file) {
      file.set('helperGenerator', function (other) {
        // What only other helpers may use comes with them.
        if (other === name || !hasOwn.call(texts, other)) {
          return null;
        }
        if (helper.needs.indexOf(other) < 0) {
          helper.needs.push(other);
        }
        return types.identifier(OURS + other);
      });
      uid = file.addHelper(name).name;
    }

    function named(path) {
      path.scope.crawl();
      Object.keys(path.scope.bindings).forEach(function (local) {
        path.scope.rename(local, OURS + (local === uid ? name : name + '$' + local));
      });
      helper.globals = Object.keys(path.scope.globals).filter(isFor);
    }

    function bringing(babel) {
      return {
        visitor: {
          Program: {
            enter: function (path, state) { brought(babel.types, state.file); },
            exit: function (path) {
              if (name === ASYNC_GENERATOR) {
                inherit(babel, path);
              } else if (name === DELEGATE) {
                passOnRejections(babel, path);
              }
              named(path);
            }
          }
        }
      };
    }

    helper.text = Babel.transform('', {
      configFile: false, babelrc: false, sourceType: 'script', compact: true, comments: false,
      plugins: [bringing].concat(lowering(ALL))
    }).code;
    return helper;
  }

  // All that is kept, created again.
  function remade() {
    var all = {};
    Object.keys(texts).forEach(function (name) { all[name] = made(name); });
    return JSON.stringify(all, null, 1);
  }

  return { install: install, isFor: isFor, filled: filled, remade: remade };
})
