'use strict';
// Lists all objects that a script can reach: of the language, of Node.js, and of this module.
const BUILT_INS = ['buffer', 'console', 'crypto', 'events', 'querystring', 'string_decoder',
  'timers', 'url', 'util', 'vault-errors', 'other-errors', 'node:util'];
const required = (name) => {
  try {
    return require('./built-ins')(name);
  } catch (e) {
    return undefined;
  }
};
const { ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

function engineError() {
  try {
    return null.x;
  } catch (e) {
    return e;
  }
}

function roots(more) {
  const found = {
    globalThis,
    generator: (function* () {})(),
    asyncGenerator: (async function* () {})(),
    asyncFunction: async () => {},
    arrow: () => {},
    callArguments: (function () { return arguments; })(1),
    arrayIterator: [][Symbol.iterator](),
    textIterator: ''[Symbol.iterator](),
    mapIterator: new Map().entries(),
    setIterator: new Set().values(),
    matches: 'x'.matchAll(/x/g),
    regex: /x/,
    match: /(x)/.exec('x'),
    bytes: Buffer.alloc(1),
    url: new URL('https://a.test/?b=c'),
    params: new URLSearchParams('a=b').entries(),
    headers: new Headers({ a: 'b' }).entries(),
    response: new Response('x'),
    error: new Error('x'),
    engineError: engineError(),
    promise: Promise.resolve(),
    template: ((strings) => strings)`a${1}b`,
    module,
    module_: module.constructor,
    exports,
  };
  for (const name of BUILT_INS) found[`require ${name}`] = required(name);
  return Object.assign(found, more);
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Returns pairs of a name and an object, each object once. */
exports.objects = (more) => {
  const names = new Map();
  const found = [];
  const add = (name, value) => {
    if (isObject(value) && !names.has(value)) {
      names.set(value, name);
      found.push([name, value]);
    }
    return isObject(value) ? `<${names.get(value)}>` : typeof value === 'symbol' ? 'a symbol' : JSON.stringify(value);
  };
  exports.name = add;
  const first = roots(more);
  for (const name of Object.keys(first)) add(name, first[name]);
  for (let i = 0; i < found.length; i++) {
    const [name, object] = found[i];
    add(`${name}.[[Prototype]]`, getPrototypeOf(object));
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key);
      [value, get, set].forEach((each, j) => add(`${name}.${String(key)}${['', ' get', ' set'][j]}`, each));
    }
  }
  return found;
};

/** Returns a line for each property of each object. */
exports.lines = (more) => {
  const lines = [];
  for (const [name, object] of exports.objects(more)) {
    lines.push(`${name}: ${typeof object} of ${exports.name('', getPrototypeOf(object))} ${Object.isExtensible(object)}`);
    for (const key of ownKeys(object)) {
      const { value, get, set, writable, enumerable, configurable } = getOwnPropertyDescriptor(object, key);
      const parts = [value, get, set].map((each) => exports.name(`${name}.${String(key)}`, each));
      lines.push(`${name}.${String(key)} = ${parts.join(' ')} ${writable} ${enumerable} ${configurable}`);
    }
  }
  return lines;
};
