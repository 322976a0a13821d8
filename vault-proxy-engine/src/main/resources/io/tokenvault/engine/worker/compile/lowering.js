// How Babel lowers a script to what Rhino runs as Node.js does. What Rhino does well itself stays.
// A plugin takes time even for code that it leaves as it is, so only those are used that are needed:
// "found" has the types of nodes of the script, and what else the walk has found.
(function () {
  'use strict';
  var REGENERATOR = ['transform-regenerator', { async: false, asyncGenerators: false }];

  return function (found) {
    var hasClass = found['class'];
    var hasField = found.ClassProperty || found.ClassPrivateProperty || found.ClassPrivateMethod
        || found.ClassAccessorProperty || found.StaticBlock || found.privateIn;
    var optional = found.OptionalMemberExpression || found.OptionalCallExpression;
    var nullish = found.nullish || found.logicalAssignment;
    // What these make of a script may have any of the plain ones in it.
    var deep = hasClass || hasField || found.generator || found.objectRest;
    var pattern = found.ObjectPattern || found.ArrayPattern;

    // The order is that of Babel's preset-env.
    var plugins = [
      ['transform-class-static-block', hasField],
      ['transform-private-property-in-object', hasField],
      ['transform-class-properties', hasField],
      ['transform-private-methods', hasField],
      ['transform-numeric-separator', found.separators],
      ['transform-logical-assignment-operators', found.logicalAssignment],
      ['transform-nullish-coalescing-operator', nullish],
      ['transform-optional-chaining', optional],
      ['transform-json-strings', found.jsonStrings],
      ['transform-optional-catch-binding', found.optionalCatch],
      ['transform-parameters', deep || found.parameters],
      ['transform-async-generator-functions', found.asyncGenerator],
      ['transform-object-rest-spread', found.objectRest],
      ['transform-async-to-generator', found.generator],
      ['transform-template-literals', found.TemplateLiteral || found.TaggedTemplateExpression],
      ['transform-literals', found.literals],
      ['transform-function-name', true],
      ['transform-arrow-functions', deep || found.ArrowFunctionExpression || nullish || optional],
      ['transform-classes', hasClass],
      ['transform-object-super', found.Super],
      ['transform-shorthand-properties', deep || found.shorthand || pattern],
      ['transform-duplicate-keys', found.ObjectExpression],
      ['transform-computed-properties', deep || found.computed || pattern],
      ['transform-for-of', deep || found.ForOfStatement],
      ['transform-spread', deep || found.spread || found.parameters],
      ['transform-destructuring', deep || pattern],
      ['transform-block-scoping',
          deep || found.blockScoping || found.parameters || pattern || found.ForOfStatement],
      ['transform-new-target', deep || found.MetaProperty],
      [REGENERATOR, found.generator],
      // Regular expressions with the flag "u" are Rhino's own, unless it cannot.
      ['transform-unicode-property-regex', found.unicode],
      ['transform-unicode-regex', found.unicode]
    ];
    return plugins.filter(function (plugin) { return plugin[1]; })
        .map(function (plugin) { return plugin[0]; });
  };
})()
