// Promises, timers, the console and modules.
const util = require('node:util');
const counter = require('counter.js');
const { describe } = require('shapes');

const wait = util.promisify((ms, done) => setTimeout(done, ms, null, ms));

// Lazy like the calls of some SDKs: sent when it is awaited.
class Later extends Promise {
  #send;

  constructor(send) {
    super((resolve) => resolve(null));
    this.#send = send;
  }

  map(change) {
    return new Later(async () => change(await this.#send()));
  }

  then(done, failed) {
    return this.#send().then(done, failed);
  }
}

class Deferred extends Promise {
  resolve;
  static made = 0;

  constructor(run = () => {}) {
    let resolve;
    super((done, failed) => { resolve = done; run(done, failed); });
    this.resolve = resolve;
    Deferred.made += 1;
  }
}

class Plain extends Deferred {
  static get [Symbol.species]() { return Promise; }
}

const steps = {
  async order() {
    const seen = [];
    setTimeout(() => seen.push('timer 0'), 0);
    setTimeout(() => seen.push('timer 2'), 2);
    queueMicrotask(() => seen.push('microtask'));
    Promise.resolve().then(() => seen.push('then 1')).then(() => seen.push('then 2'));
    (async () => { seen.push('sync'); await null; seen.push('await'); })();
    seen.push('end');
    await new Promise((resolve) => setTimeout(resolve, 20));
    return seen;
  },
  async all() {
    const settled = await Promise.allSettled([1, Promise.reject(new Error('no')), wait(1)]);
    const any = await Promise.any([Promise.reject(new Error('x')), wait(2)]);
    const race = await Promise.race([new Promise(() => {}), wait(1)]);
    return [await Promise.all([wait(3), 2, wait(1)]), settled.map((s) => s.status), any, race];
  },
  async thenable() {
    return [await { then: (resolve) => resolve('then') }, await Promise.resolve({ then(r) { r(5); } })];
  },
  async loops() {
    async function* pages(n) {
      try {
        for (let i = 0; i < n; i++) { await wait(0); yield i; }
      } finally {
        console.log('pages closed');
      }
    }
    const got = [];
    for await (const page of pages(5)) {
      if (page === 3) break;
      got.push(page);
    }
    for await (const x of [Promise.resolve('a'), 'b']) got.push(x);
    return got;
  },
  async finallyOrder() {
    const seen = [];
    const value = await (async () => {
      try { seen.push(1); return await wait(1); } finally { seen.push(2); await null; seen.push(3); }
    })();
    return [value, seen];
  },
  async cleared() {
    const seen = [];
    const timer = setTimeout(() => seen.push('never'), 1);
    clearTimeout(timer);
    let n = 0;
    await new Promise((resolve) => {
      const each = setInterval(() => { n += 1; if (n === 3) { clearInterval(each); resolve(); } }, 1);
    });
    await new Promise((resolve) => setImmediate(resolve));
    return [seen, n];
  },
  async console() {
    console.log('text', 1, { a: [1, { b: { c: {} } }] }, null, undefined, [undefined], 'x'.repeat(3));
    console.info('%s has %d of %i, %f, %j %o %O %%', 'it', 1.5, 1.5, '2.5', { a: 1 }, { c: 3 }, { b: 2 });
    console.warn(new Map([['k', new Set([1])]]), new Date(0), /re/g, Symbol('s'), 10n, () => 1);
    console.error('no\nlines', -0, [1, , 3], 'it\'s');
    console.debug(Buffer.from('ab'), new Uint8Array(2), [['nested', ['deep', ['er', ['est']]]]]);
    console.group('group');
    console.log('in');
    console.groupEnd();
    console.log(Object.create(null), new (class Foo { x = 1; })(), [1.0, 'a'], { 'a-b': 1, get g() { return 1; } });
    return null;
  },
  async modules() {
    const names = ['crypto', 'buffer', 'querystring', 'url', 'util', 'events', 'timers'];
    const same = [require('crypto') === require('node:crypto'), require('buffer').Buffer === Buffer, require('url').URL === URL, require('util') === util, require('querystring') === require('node:querystring')];
    return [names.length, same, counter.next(), counter.next(), require('counter.js') === counter, counter.Counter.made, describe(3), require('shapes').area({ side: 0.1 })];
  },
  async events() {
    const { EventEmitter } = require('events');
    const emitter = new EventEmitter();
    const seen = [];
    emitter.on('a', (x) => seen.push(x)).once('a', () => seen.push('once'));
    emitter.emit('a', 1);
    return [emitter.emit('a', 2), emitter.emit('none'), seen];
  },
  async manyAwaits() {
    let total = 0;
    for (let i = 0; i < 200; i++) total += await i;
    return total;
  },
  async subclasses() {
    const later = new Later(async () => 20);
    const failing = new Later(async () => { throw new RangeError('no'); });
    const got = [await later, await later.map((x) => x + 1), await Promise.all([later, 1]), await failing.catch((e) => e.name)];
    const deferred = new Deferred();
    const next = deferred.then((x) => x + 1);
    deferred.resolve('a');
    got.push(await deferred, await next, next instanceof Deferred, deferred.catch(() => 0) instanceof Deferred, await deferred.finally(() => 0), Deferred.made);
    got.push(Deferred.resolve(deferred) === deferred, Deferred.resolve(Promise.resolve(1)) instanceof Deferred, Promise.resolve(deferred) === deferred, Deferred.all([]) instanceof Deferred);
    got.push(await Deferred.all([1, deferred]), await Deferred.race([deferred, 1]), await Deferred.allSettled([1, Deferred.reject(2)]), await Deferred.any([Deferred.reject(1), 7]));
    const plain = new Plain((done) => done(1));
    got.push(plain.then(() => 0) instanceof Deferred, await plain, plain instanceof Promise, Object.prototype.toString.call(plain), plain.constructor.name);
    const seen = [];
    (async () => { await Promise.resolve(); seen.push('native'); })();
    (async () => { await Deferred.resolve(); seen.push('subclass'); })();
    (async () => { await null; seen.push('null 1'); await null; seen.push('null 2'); await null; seen.push('null 3'); })();
    await wait(1);
    for (const wrong of [() => new (class extends Promise {})(5), () => Plain(() => 0), () => new (class extends Promise { constructor() { this.a = 1; super(() => 0); } })()]) {
      try { wrong(); } catch (e) { seen.push(e.name); }
    }
    return [got, seen];
  },
  async never() {
    await new Promise(() => {});
  },
  async unhandled() {
    Promise.reject(new Error('nobody looks')).catch(() => {});
    return 'fine';
  },
};

async function main({ args, configuration }) {
  return { body: await steps[configuration.kind](args) };
}

module.exports = { default: main };
