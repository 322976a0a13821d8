// What the compiler uses of Babel, with the plugins that lowering.js names, each loaded when it is first used.
const core = require('@babel/core');

const PLUGINS = {
  'transform-arrow-functions': () => require('@babel/plugin-transform-arrow-functions'),
  'transform-async-generator-functions': () => require('@babel/plugin-transform-async-generator-functions'),
  'transform-async-to-generator': () => require('@babel/plugin-transform-async-to-generator'),
  'transform-block-scoping': () => require('@babel/plugin-transform-block-scoping'),
  'transform-class-properties': () => require('@babel/plugin-transform-class-properties'),
  'transform-class-static-block': () => require('@babel/plugin-transform-class-static-block'),
  'transform-classes': () => require('@babel/plugin-transform-classes'),
  'transform-computed-properties': () => require('@babel/plugin-transform-computed-properties'),
  'transform-destructuring': () => require('@babel/plugin-transform-destructuring'),
  'transform-duplicate-keys': () => require('@babel/plugin-transform-duplicate-keys'),
  'transform-for-of': () => require('@babel/plugin-transform-for-of'),
  'transform-function-name': () => require('@babel/plugin-transform-function-name'),
  'transform-json-strings': () => require('@babel/plugin-transform-json-strings'),
  'transform-literals': () => require('@babel/plugin-transform-literals'),
  'transform-logical-assignment-operators': () => require('@babel/plugin-transform-logical-assignment-operators'),
  'transform-new-target': () => require('@babel/plugin-transform-new-target'),
  'transform-nullish-coalescing-operator': () => require('@babel/plugin-transform-nullish-coalescing-operator'),
  'transform-numeric-separator': () => require('@babel/plugin-transform-numeric-separator'),
  'transform-object-rest-spread': () => require('@babel/plugin-transform-object-rest-spread'),
  'transform-object-super': () => require('@babel/plugin-transform-object-super'),
  'transform-optional-catch-binding': () => require('@babel/plugin-transform-optional-catch-binding'),
  'transform-optional-chaining': () => require('@babel/plugin-transform-optional-chaining'),
  'transform-parameters': () => require('@babel/plugin-transform-parameters'),
  'transform-private-methods': () => require('@babel/plugin-transform-private-methods'),
  'transform-private-property-in-object': () => require('@babel/plugin-transform-private-property-in-object'),
  'transform-regenerator': () => require('@babel/plugin-transform-regenerator'),
  'transform-shorthand-properties': () => require('@babel/plugin-transform-shorthand-properties'),
  'transform-spread': () => require('@babel/plugin-transform-spread'),
  'transform-template-literals': () => require('@babel/plugin-transform-template-literals'),
  'transform-unicode-property-regex': () => require('@babel/plugin-transform-unicode-property-regex'),
  'transform-unicode-regex': () => require('@babel/plugin-transform-unicode-regex'),
};

function known(plugin) {
  if (Array.isArray(plugin)) return [known(plugin[0]), plugin[1]];
  return typeof plugin === 'string' ? PLUGINS[plugin]() : plugin;
}

function withPlugins(options) {
  return Object.assign({}, options, { plugins: options.plugins.map(known) });
}

module.exports = {
  transform: (code, options) => core.transformSync(code, withPlugins(options)),
  transformFromAst: (ast, code, options) => core.transformFromAstSync(ast, code, withPlugins(options)),
  parse: require('@babel/parser').parse,
  traverse: require('@babel/traverse').default,
  types: core.types,
};
