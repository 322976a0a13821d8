// How Babel lowers a script to what Rhino runs as Node.js does. What Rhino does well itself stays.
(function () {
  'use strict';

  // The order is that of Babel's preset-env.
  return [
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
    'transform-computed-properties',
    'transform-for-of',
    'transform-spread',
    'transform-destructuring',
    'transform-block-scoping',
    'transform-new-target',
    ['transform-regenerator', { async: false, asyncGenerators: false }]
  ];
})
