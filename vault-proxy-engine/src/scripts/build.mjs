// Builds the scripts of others into the resources of the module: `node build.mjs [DIRECTORY]`.
// The same packages, scripts of the compiler and transforms of tests give the same bytes.
import { build, transform } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deferred } from './deferral.mjs';

const load = createRequire(import.meta.url);
const Babel = load('./babel.cjs');
const here = dirname(fileURLToPath(import.meta.url));
const resources = join(here, '../main/resources/io/tokenvault/engine/worker');
const target = resolve(process.argv[2] ?? resources);

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
    ['var init = arguments.length > 0 ? arguments[0] : undefined', 'var init = arguments[0] === null ? undefined : arguments[0]'],
    [
      "new TypeError('Expected sequence with length 2')",
      "Object.assign(new TypeError('Each query pair must be an iterable [name, value] tuple'), { code: 'ERR_INVALID_TUPLE' })",
    ],
  ],
  'web.url.constructor': [
    ["'{': 1, '}': 1, '^': 1", "'{': 1, '}': 1"],
    ["while (url.path.length > 1 && url.path[0] === '')", 'while (false)'],
    ["if (!exec(NON_ASCII, domain)) return domain === '' ? null : toASCII(domain);",
      `if (!/[^\\0-\\x7f]|(^|\\.)xn--/i.test(domain)) return domain === '' ? null : domain.toLowerCase();
      return load("domain-name").toASCII(domain, { checkBidi: true, checkJoiners: true }) || null;`],
  ],
};

/**
 * A rest object takes "__proto__" of JSON for its prototype. In a generator, a jump out of a "finally" block does not
 * run those around it.
 */
const CHANGED_IN_BABEL = [
  ['d(c,u)):G.n=u:G.v=u', 'd(c,u)):(G.n=u,d(c,u)):G.v=u'],
  [
    'if(-1!==e.indexOf(n))continue;t[n]=r[n]}',
    "if(-1!==e.indexOf(n))continue;'__proto__'===n?Object.defineProperty(t,n,{value:r[n],writable:!0,enumerable:!0,configurable:!0}):t[n]=r[n]}",
  ],
];

/** The object of "object[await key]" is evaluated before the key. */
const CHANGED_IN_STEPS = [
  ['memberExpression(self.explodeExpression(path.get("object")), path.node.computed',
    `memberExpression(path.node.computed && meta.containsLeap(path.node.property)
          ? self.explodeViaTempVar(null, path.get("object"), true) : self.explodeExpression(path.get("object")), path.node.computed`],
];

/**
 * The variables of a generator are removed from its scope again with each declaration. Those of the same names around
 * it must stay there, since they would be overwritten by variables of blocks.
 */
const CHANGED_IN_GENERATORS = [['path.scope.removeBinding(name)', 'funPath.scope.removeOwnBinding(name)']];

/** A function in the head of a "switch" does not see what the cases declare. */
const CHANGED_IN_SCOPES = [
  ['const shouldSkip = path.key === "key"', 'const isHead = path.key === "discriminant";\n      const shouldSkip = path.key === "key"'],
  ['if (shouldSkip && path.isMethod())', 'if (shouldSkip && path.isMethod() || isHead && path.isSwitchStatement())'],
];

/** A variable that a pattern has twice, as in "[a, a = 1] = list", is renamed in both places. */
const CHANGED_IN_NAMES = [
  ['path.isAssignmentExpression() ? getAssignmentIdentifiers(path.node) : path.getOuterBindingIdentifiers()',
    'path.isAssignmentExpression() ? _t.getBindingIdentifiers(path.node, true) : path.getOuterBindingIdentifiers(true)'],
  ['if (name === state.oldName) ids[name].name = state.newName;',
    'if (name === state.oldName) for (const id of ids[name]) id.name = state.newName;'],
];

/** The compiler has texts of the helpers, and plugins ask only for helpers of their own release. */
const HELPERS_WHEN_NEEDED = [
  ['var _helpersGenerated = require("./helpers-generated.js");',
    'var _helpersGenerated = { get default() { return require("./helpers-generated.js").default; } };'],
  ['const list = exports.list = Object.keys(_helpersGenerated.default).map(name => name.replace(/^_/, ""));', ''],
];
const HELPERS_UNCHECKED = [
  ['if (helpers().isInternal(name)) return false;', 'if (versionRange === undefined) return true;'],
  [`if (helpers().isInternal(name)) {\n      throw new Error("Cannot use internal helper " + name);\n    }`, ''],
];

/** Modules that Babel needs only to read settings from files, to test itself or its version, or to write a log. */
const ABSENT = {
  'assert': 'Object.assign(function () {}, { equal() {}, deepEqual() {}, notStrictEqual() {}, ok() {}, strictEqual() {} })',
  'browserslist': '{}',
  'debug': 'function () { return Object.assign(function () {}, { enabled: false }); }',
  'json5': '{}',
  'lru-cache': 'function () {}',
  'semver': '{ satisfies() { return true; }, lt() { return false; }, intersects() { return false; }, valid() { return null; } }',
};

/** The text is that of another error, which can be one of the engine: it is not for callers of a proxy. */
const CHANGED_IN_STREAM = [
  ['err.code = outerError.code', "err.code = outerError.code\n    Object.defineProperty(err, 'generatedMessage', { value: true })"],
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

/** Modules that packages expect of Node.js or of a browser, which here are those of the runtime. */
const GIVEN = {
  'abort-controller': 'globalThis',
  'buffer': '{ Buffer: globalThis.Buffer }',
  'events': 'load("events")',
  'process/': 'load("process")',
  'punycode/': 'load("punycode")',
  'string_decoder/': 'load("string_decoder")',
  './util/inspect': 'load("inspect")',
};

/** A label must not be only "xn--", and Node.js 20 has the mapping of an earlier version of Unicode. */
const CHANGED_IN_DOMAINS = [['labels[i] = label;', "labels[i] = label;\n      error = error || label === '';"]];
const CHANGED_IN_TABLE = [['[7838,1,"ß"]', '[7838,1,"ss"]']];

/** An extension may come without its dot. */
const CHANGED_IN_PATHS = [
  ["(pathObject.name || '') + (pathObject.ext || '')",
    "(pathObject.name || '') + (pathObject.ext ? (pathObject.ext[0] === '.' ? '' : '.') + pathObject.ext : '')"],
];

/** The adapters between the streams of Node.js and of the web, which the package leaves out. */
const ADAPTERS = [['webStreamsAdapters = {}', 'webStreamsAdapters = load("stream-web").adapters']];

const giving = {
  name: 'giving',
  setup(all) {
    all.onResolve({ filter: /./ }, ({ path }) => (path in GIVEN ? { path, namespace: 'given' } : undefined));
    all.onLoad({ filter: /readable-stream[\\/]lib[\\/]ours[\\/]errors\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_STREAM) }));
    all.onLoad({ filter: /streams[\\/](duplex|readable|writable)\.js$/ }, ({ path }) => ({ contents: changed(path, ADAPTERS) }));
    all.onLoad({ filter: /path-browserify[\\/]index\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_PATHS) }));
    all.onLoad({ filter: /tr46[\\/]index\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_DOMAINS) }));
    // As a text, which takes less time to read than a list.
    all.onLoad({ filter: /mappingTable\.json$/ }, ({ path }) => ({
      contents: `module.exports = JSON.parse(${JSON.stringify(changed(path, CHANGED_IN_TABLE))})`,
      loader: 'js',
    }));
    all.onLoad({ filter: /./, namespace: 'given' }, ({ path }) => ({ contents: `module.exports = ${GIVEN[path]};` }));
  },
};

/** A package as one script of the runtime, whose value is what its entry exports. */
async function bundled(entry, plugins, language, before = '') {
  const { outputFiles } = await build({
    absWorkingDir: here,
    entryPoints: [entry],
    bundle: true,
    minifyWhitespace: true,
    write: false,
    format: 'iife',
    globalName: 'made',
    target: language,
    platform: 'neutral',
    mainFields: ['main'],
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
    plugins,
    banner: { js: `(function (host, load) {${before}` },
    footer: { js: 'return made; })' },
  });
  return outputFiles[0].text;
}

/** The tables of Unicode as texts, which take little time to read: few of them are ever used. */
function unicodeTables() {
  const folder = join(here, 'node_modules/regenerate-unicode-properties');
  const tables = {};
  for (const [kind, names] of load(folder)) {
    for (const name of names) {
      const { characters, strings } = load(join(folder, kind, `${name}.js`));
      const steps = characters.data.map((at, index, all) => (index === 0 ? at : at - all[index - 1]).toString(36));
      tables[`${kind}/${name}`] = [steps.join(' '), strings && [...strings].join(' ')];
    }
  }
  return `var regenerate = require('regenerate'), tables = ${JSON.stringify(tables)};
    module.exports = function (path) {
      var table = tables[path], last = 0, characters = regenerate();
      if (table[0]) characters.data = table[0].split(' ').map(function (step) { return last += parseInt(step, 36); });
      return { characters: characters, strings: table[1] ? new Set(table[1].split(' ')) : undefined };
    };`;
}

const fitting = {
  name: 'fitting',
  setup(all) {
    all.onResolve({ filter: /./ }, ({ path }) => (path in ABSENT ? { path, namespace: 'absent' } : undefined));
    all.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({ contents: `module.exports = ${ABSENT[path]};` }));
    all.onLoad({ filter: /helpers[\\/]lib[\\/]index\.js$/ }, ({ path }) => ({ contents: changed(path, HELPERS_WHEN_NEEDED) }));
    all.onLoad({ filter: /transformation[\\/]file[\\/]file\.js$/ }, ({ path }) => ({ contents: changed(path, HELPERS_UNCHECKED) }));
    all.onLoad({ filter: /helpers-generated\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_BABEL) }));
    all.onLoad({ filter: /regenerator[\\/]hoist\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_GENERATORS) }));
    all.onLoad({ filter: /regenerator[\\/]emit\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_STEPS) }));
    all.onLoad({ filter: /traverse[\\/]lib[\\/]scope[\\/]index\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_SCOPES) }));
    all.onLoad({ filter: /traverse[\\/]lib[\\/]scope[\\/]lib[\\/]renamer\.js$/ }, ({ path }) => ({ contents: changed(path, CHANGED_IN_NAMES) }));
    all.onLoad({ filter: /rewrite-pattern\.js$/ }, ({ path }) => ({
      contents: changed(path, [['require(`regenerate-unicode-properties/${ path }.js`)', "require('regenerate-unicode-properties')(path)"]]),
    }));
    all.onLoad({ filter: /regenerate-unicode-properties[\\/]index\.js$/ }, () => ({ contents: unicodeTables() }));
  },
};

/** The plugins of transforms, but those of regular expressions. */
const ALL = (0, eval)(readFileSync(join(resources, 'compile/lowering.js'), 'utf8'))(
  new Proxy({}, { get: (none, what) => what !== 'unicode' }));

/** The plugins of Babel itself, which was written with these assumptions, and runs faster with them. */
const FEW = ['block-scoping', 'classes', 'destructuring', 'for-of', 'object-rest-spread', 'object-super', 'parameters', 'regenerator',
  'spread'].map((name) => `transform-${name}`);
const ASSUMPTIONS = Object.fromEntries(['constantSuper', 'ignoreFunctionLength', 'noClassCalls', 'noDocumentAll', 'noNewArrows',
  'objectRestNoSymbols', 'setClassMethods', 'setComputedProperties', 'setPublicClassFields', 'setSpreadProperties',
  'skipForOfIteratorClosing', 'superIsCallableConstructor'].map((name) => [name, true]));

function lower(code, plugins, assumptions = {}) {
  const settings = { configFile: false, babelrc: false, sourceType: 'script', comments: false, compact: false };
  return Babel.transform(code, { ...settings, plugins, assumptions }).code;
}

/** What the compiler uses of Babel, and the packages that it consists of. */
async function babel() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: here,
    entryPoints: ['babel.cjs'],
    bundle: true,
    minifyWhitespace: true,
    write: false,
    metafile: true,
    format: 'iife',
    globalName: 'Babel',
    target: 'es2020',
    platform: 'browser',
    mainFields: ['browser', 'main'],
    legalComments: 'none',
    charset: 'ascii',
    logLevel: 'warning',
    plugins: [fitting],
    alias: { path: 'path-browserify' },
    define: { process: 'nodeProcess' },
    banner: { js: 'var nodeProcess={env:{NODE_ENV:"production"},cwd:function(){return"/"}};' },
  });
  const text = lower(outputFiles[0].text, FEW, ASSUMPTIONS);
  const { code } = await transform(text, { minify: true, target: 'es2016', charset: 'ascii', legalComments: 'none' });
  const names = Object.keys(metafile.inputs).map((path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  return { code, packages: names.filter(Boolean) };
}

/** The sources of transforms as people write them. */
function usualTransforms() {
  const folder = join(here, '../test/resources/transforms/real');
  const names = readdirSync(folder).filter((name) => name.endsWith('.js')).sort();
  return names.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** A package of today's language, lowered as transforms are. */
async function lowered(entry) {
  const text = await bundled(entry, [giving], 'es2020');
  const code = lower(text, ALL);
  // The helpers of Babel precede the script, whose value must be a function.
  const start = code.indexOf('(function (host, load) {');
  if (start < 0) throw new Error(`${entry} has another form`);
  const inside = start + '(function (host, load) {'.length;
  const script = code.slice(start, inside) + code.slice(0, start) + code.slice(inside).replace(/;\s*$/, '');
  return (await transform(script, { minifyWhitespace: true, target: 'es2016', charset: 'ascii', legalComments: 'none' })).code;
}

/** The licenses of packages, which whoever passes the packages on has to pass on with them. */
function licenses(packages) {
  const headings = new Map();
  for (const name of [...new Set(packages)].sort()) {
    const folder = join(here, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = readFileSync(join(folder, readdirSync(folder).find((file) => /^license/i.test(file))), 'utf8').trim();
    headings.set(text, [...(headings.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...headings].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(72)}\n\n`);
}

function write(path, text) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
}

write('node/script/url-standard.js', await bundled('url.cjs', [replacing], 'es5'));
write('node/script/domain-name.js', await lowered('tr46'));
write('node/script/path.js', await bundled('path-browserify', [giving], 'es5', 'var process = load("process");'));
write('node/script/punycode.js', await lowered('punycode/punycode.js'));
write('node/script/stream.js', await lowered('readable-stream/lib/stream.js'));
write('node/script/stream-web-standard.js', await bundled('web-streams-polyfill/es5', [giving], 'es5'));
const { code, packages } = await babel();
const parts = deferred(code, join(resources, 'compile'), usualTransforms());
write('compile/babel.js', parts.code);
write('compile/babel-deferred.txt', parts.rest);
write('licenses.txt', licenses([...packages, 'core-js-pure', 'path-browserify', 'punycode', 'readable-stream', 'tr46', 'web-streams-polyfill']));
