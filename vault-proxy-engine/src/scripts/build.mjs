// Builds the scripts of others into the resources of the module: `node build.mjs [DIRECTORY]`.
// The same packages give the same bytes.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, '../main/resources/io/tokenvault/engine/worker'));

/**
 * Modules of core-js that only test or repair what every engine of today has, written as what the
 * engine has: a realm is made for each invocation, and running them took longer than all others.
 * No global but these is seen, so that none is made by looking for it; errors are those of Node.js.
 */
const REPLACED = {
  'an-instance': `function (it, prototype) {
    if (prototype.isPrototypeOf(it)) return it;
    throw new TypeError("Class constructor " + prototype.constructor.name + " cannot be invoked without 'new'");
  }`,
  'array-from': 'Array.from',
  'descriptors': 'true',
  'es.array.iterator': '{}',
  'es.string.from-code-point': '{}',
  'es.string.iterator': '{}',
  'export': 'function (options, classes) { Object.assign(require("core-js-pure/internals/path.js"), classes); }',
  'fails': 'function () { return false; }',
  'function-apply': 'Reflect.apply',
  'function-call': 'Function.prototype.call.bind(Function.prototype.call)',
  'function-uncurry-this': 'Function.prototype.bind.bind(Function.prototype.call)',
  'get-built-in': 'function (name, property) { return property ? globalThis[name][property] : globalThis[name]; }',
  'global-this': '{ TypeError: TypeError, WeakMap: WeakMap, parseInt: parseInt }',
  'has-own-property': 'Function.prototype.call.bind(Object.prototype.hasOwnProperty)',
  'is-callable': "function (value) { return typeof value === 'function'; }",
  'is-object': "function (value) { return value !== null && (typeof value === 'object' || typeof value === 'function'); }",
  'is-pure': 'true',
  'iterators-core': `{ IteratorPrototype: Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))) };
    Object.defineProperty(module.exports.IteratorPrototype, Symbol.iterator, { value: function () { return this; } })`,
  'object-assign': 'Object.assign',
  'object-create': 'Object.create',
  'object-define-properties': '{ f: Object.defineProperties }',
  'object-define-property': '{ f: Object.defineProperty }',
  'object-get-own-property-descriptor': '{ f: Object.getOwnPropertyDescriptor }',
  'object-get-prototype-of': 'Object.getPrototypeOf',
  'object-set-prototype-of': 'Object.setPrototypeOf',
  'safe-get-built-in': 'function () {}',
  'shared-store': '{}',
  'to-string-tag-support': 'true',
  'url-constructor-detection': 'false',
  'validate-arguments-length': `function (passed, required) {
    if (passed >= required) return passed;
    var error = new TypeError('The ' + (required === 1 ? '"name" argument' : '"name" and "value" arguments') + ' must be specified');
    error.code = 'ERR_MISSING_ARGS';
    throw error;
  }`,
  'weak-map-basic-detection': 'true',
  'well-known-symbol': 'function (name) { return Symbol[name]; }',
};

/** Places where core-js, or the standard of today, is not as Node.js 16 to 20: each once in its module. */
const CHANGED = {
  'web.url-search-params.constructor': [
    [
      "new TypeError('Expected sequence with length 2')",
      "Object.assign(new TypeError('Each query pair must be an iterable [name, value] tuple'), { code: 'ERR_INVALID_TUPLE' })",
    ],
  ],
  'web.url.constructor': [
    ["'{': 1, '}': 1, '^': 1", "'{': 1, '}': 1"],
    ["while (url.path.length > 1 && url.path[0] === '')", 'while (false)'],
  ],
};

/** A rest object takes "__proto__" of JSON for its prototype. */
const CHANGED_IN_BABEL = [
  [
    'if(-1!==e.indexOf(n))continue;t[n]=r[n]}',
    "if(-1!==e.indexOf(n))continue;'__proto__'===n?Object.defineProperty(t,n,{value:r[n],writable:!0,enumerable:!0,configurable:!0}):t[n]=r[n]}",
  ],
];

function changed(path, changes) {
  return changes.reduce((source, [theirs, ours]) => {
    const parts = source.split(theirs);
    if (parts.length !== 2) throw new Error(`${path} is not the one that was changed`);
    return parts.join(ours);
  }, readFileSync(path, 'utf8'));
}

const replacing = {
  name: 'replacing',
  setup(all) {
    all.onLoad({ filter: /[\\/]core-js-pure[\\/](internals|modules)[\\/]/ }, ({ path }) => {
      const name = /([^\\/]+)\.js$/.exec(path)[1];
      if (name in REPLACED) return { contents: `module.exports = ${REPLACED[name]};` };
      return name in CHANGED ? { contents: changed(path, CHANGED[name]) } : undefined;
    });
  },
};

async function url() {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: ['url.cjs'],
    bundle: true,
    minifyWhitespace: true,
    write: false,
    format: 'iife',
    globalName: 'made',
    target: 'es5',
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
    plugins: [replacing],
    banner: { js: '(function () {' },
    footer: { js: 'return made; })' },
  });
  return outputFiles[0].text;
}

/** A package's license, which whoever passes the package on has to pass on with it. */
function license(name) {
  const folder = join(here, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
}

function write(path, text) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}

write('node/script/url-standard.js', await url());
write('compile/babel.js', changed(join(here, 'node_modules/@babel/standalone/babel.min.js'), CHANGED_IN_BABEL));
write('licenses.txt', ['@babel/standalone', 'core-js-pure'].map(license).join(`\n${'-'.repeat(72)}\n\n`));
