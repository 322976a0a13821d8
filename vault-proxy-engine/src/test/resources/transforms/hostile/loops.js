// Endless loops. The line above each states its expected outcome.
module.exports = (request) => attacks[request.args.body](request);

const attacks = {
  //= time long
  whileTrue() {
    while (true);
  },
  //= time long
  async afterAwait() {
    await null;
    for (;;);
  },
  //= time
  async awaitForEver() {
    for (;;) await null;
  },
  //= over long
  microtasks() {
    const again = () => Promise.resolve().then(again);
    return again();
  },
  //= over long
  queuedMicrotasks() {
    const again = () => queueMicrotask(again);
    again();
    return new Promise(() => {});
  },
  //= over long
  nextTicks() {
    const again = () => Promise.resolve().finally(again);
    again();
    return new Promise(() => {});
  },
  //= time long
  catchAndFinally() {
    for (;;) {
      try {
        for (;;);
      } catch (e) {
        continue;
      } finally {
        for (;;);
      }
    }
  },
  //= time long
  finallyReturns() {
    const forEver = () => {
      try {
        for (;;);
      } finally {
        return forEver();
      }
    };
    return forEver();
  },
  //= time long
  async asyncFinally() {
    try {
      await Promise.reject(new Error('x'));
    } finally {
      for (;;) await 0;
    }
  },
  //= time long
  getter() {
    return { get body() { for (;;); } };
  },
  //= time long
  thenGetter() {
    return { get then() { for (;;); } };
  },
  //= time long
  thenableForEver() {
    const thenable = () => ({ then(resolve) { resolve(thenable()); } });
    return thenable();
  },
  //= time long
  proxyTrap() {
    return new Proxy({}, { get() { for (;;); } });
  },
  //= time long
  proxyOwnKeys() {
    return { headers: new Proxy({}, { ownKeys() { for (;;); } }) };
  },
  //= time long
  toStringOfObject() {
    return `${{ toString() { for (;;); } }}`;
  },
  //= time long
  valueOfObject() {
    return +{ valueOf() { for (;;); } };
  },
  //= time long
  toPrimitive() {
    return {} + { [Symbol.toPrimitive]() { for (;;); } };
  },
  //= time long
  propertyKey() {
    return { [{ toString() { for (;;); } }]: 1 };
  },
  //= time long
  comparator() {
    return [3, 2, 1].sort(() => { for (;;); });
  },
  //= time long
  comparatorThatLies() {
    const many = Array.from({ length: 3000 }, (_, i) => i);
    for (;;) many.sort(() => 1);
  },
  //= time long
  toJson() {
    return { body: { toJSON() { for (;;); } } };
  },
  //= time long
  toJsonOfHeaders() {
    return { body: JSON.stringify({ toJSON() { for (;;); } }) };
  },
  //= time long
  reviver() {
    return JSON.parse('[1]', () => { for (;;); });
  },
  //= time long
  replacer() {
    return 'a'.replace(/a/, () => { for (;;); });
  },
  //= time long
  generator() {
    function* endless() { for (;;) yield 1; }
    for (const each of endless());
  },
  //= over long
  spreadGenerator() {
    return Math.max(...(function* () { for (;;) yield 1; })());
  },
  //= time long
  generatorReturn() {
    function* stubborn() { try { yield 1; } finally { for (;;); } }
    for (const each of stubborn()) break;
  },
  //= time long
  async asyncGenerator() {
    async function* endless() { for (;;) yield 1; }
    for await (const each of endless());
  },
  //= over long
  iterator() {
    return Array.from({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) });
  },
  //= over long
  promiseAll() {
    return Promise.all({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) });
  },
  //= over long
  destructuring() {
    const [...all] = (function* () { for (;;) yield 0; })();
    return all;
  },
  //= time long
  timers() {
    const again = () => setTimeout(again, 0);
    again();
    return new Promise(() => {});
  },
  //= time long
  intervals() {
    setInterval(() => {}, 0);
    return new Promise(() => {});
  },
  //= time long
  immediates() {
    const again = () => setImmediate(again);
    again();
    return new Promise(() => {});
  },
  //= time long
  loopInTimer() {
    setTimeout(() => { for (;;); }, 1);
    return new Promise(() => {});
  },
  //= time long
  timerTooFarAway() {
    return new Promise((resolve) => setTimeout(resolve, 3600000));
  },
  //= time long
  thrownGetter() {
    throw { get status() { for (;;); } };
  },
  //= time long
  thrownMessage() {
    throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } });
  },
  //= time long
  thrownClass() {
    class Slow extends Error { get message() { for (;;); } }
    throw new Slow();
  },
  //= time long
  stackGetter() {
    const error = new Error();
    Object.defineProperty(error, 'name', { get() { for (;;); } });
    return String(error);
  },
  //= time long
  setter() {
    const target = { set x(value) { for (;;); } };
    target.x = 1;
  },
  //= time long
  symbolHasInstance() {
    return {} instanceof { [Symbol.hasInstance]() { for (;;); } };
  },
  //= time long
  species() {
    class Slow extends Array { static get [Symbol.species]() { for (;;); } }
    return new Slow(1, 2).map((x) => x);
  },
  //= time long
  stringMethodsOfRegExp() {
    return 'abc'.split({ [Symbol.split]() { for (;;); } });
  },
  //= time long
  objectPrototype() {
    Object.defineProperty(Object.prototype, 'body', { get() { for (;;); } });
    return {};
  },
  //= time long
  arrayPrototype() {
    Array.prototype.map = () => { for (;;); };
    Array.prototype[Symbol.iterator] = Array.prototype.map;
    Array.prototype.forEach = Array.prototype.map;
    Array.prototype.toJSON = Array.prototype.map;
    return { body: [1] };
  },
  //= time long
  inspectedObject() {
    console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } });
  },
  //= time long
  consoleForEver() {
    for (;;) console.log('x'.repeat(1000));
  },
  //= time long
  inspectedProxy() {
    console.log(new Proxy({}, { ownKeys() { for (;;); }, getPrototypeOf() { for (;;); } }));
  },
  //= time long
  urlText() {
    return new URL({ toString() { for (;;); } });
  },
  //= time long
  hashForEver() {
    const hash = require('crypto').createHash('sha512');
    for (;;) hash.update('x'.repeat(4096));
  },
  //= time long
  keyDerivation() {
    return require('crypto').pbkdf2Sync('a', 'b', 2147483647, 64, 'sha512');
  },
  //= over long
  nativeCallback() {
    return Array.from({ length: 1e9 }, Math.abs);
  },
  //= over long
  sparse() {
    return new Array(4294967295).indexOf(1);
  },
  //= over long
  lengthThatLies() {
    return Array.prototype.indexOf.call({ length: 9007199254740991 }, 1);
  },
  //= over | ENGINE_ERROR long
  joinThatLies() {
    return Array.prototype.join.call({ length: 4294967295 }, '');
  },
  //= over long
  reverseThatLies() {
    return Array.prototype.reverse.call({ length: 9007199254740991 });
  },
  //= time long
  bigPower() {
    return 3n ** 30000000n;
  },
  //= over long
  mapWhileGrowing() {
    const map = new Map([[0, 0]]);
    map.forEach((value, key) => map.set(key + 1, 0));
  },
};
