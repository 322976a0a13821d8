// How Babel lowers a script to what Rhino runs as Node.js does. What Rhino does well itself stays.
(function (unicode) {
  'use strict';

  // The order is that of Babel's preset-env.
  var plugins = [
    'proposal-class-static-block',
    'proposal-private-property-in-object',
    'proposal-class-properties',
    'proposal-private-methods',
    'proposal-numeric-separator',
    'proposal-logical-assignment-operators',
    'proposal-nullish-coalescing-operator',
    'proposal-optional-chaining',
    'proposal-json-strings',
    'proposal-optional-catch-binding',
    'transform-parameters',
    'proposal-async-generator-functions',
    'proposal-object-rest-spread',
    'transform-async-to-generator',
    'transform-template-literals',
    'transform-literals',
    'transform-function-name',
    'transform-arrow-functions',
    'transform-classes',
    'transform-object-super',
    'transform-shorthand-properties',
    'transform-duplicate-keys',
    'transform-computed-properties',
    'transform-for-of',
    'transform-spread',
    'transform-destructuring',
    'transform-block-scoping',
    'transform-new-target',
    ['transform-regenerator', { async: false, asyncGenerators: false }]
  ];
  // Regular expressions with the flag "u" are Rhino's own, unless it cannot.
  return unicode
      ? plugins.concat('proposal-unicode-property-regex', 'transform-unicode-regex') : plugins;
})
