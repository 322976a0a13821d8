// Values and their text: each entry is one result; thrown errors appear by name.
const checks = {
  numbers: () => [0.1 + 0.2, 1e21, 123456789012345680000, 1e-7, -0, 1 / 3, 2 ** 53 + 2, 0xff, 0b11, 0o17, 1_000].map(String),
  fixed: () => [(1.005).toFixed(2), (0.5).toFixed(0), (1e21).toFixed(2), (-1.45).toFixed(1), (1234.5678).toFixed(2)],
  precision: () => [(123.456).toPrecision(4), (0.000123).toPrecision(2), (1e21).toPrecision(3), (12345).toExponential(2)],
  radix: () => [(255).toString(16), (0.5).toString(2), (-255).toString(36), parseInt('0x1f'), parseFloat('1.5e3x')],
  locale: () => [(1234567.891).toLocaleString(), (0.5).toLocaleString(), (-1e6).toLocaleString()],
  parsed: () => [Number(''), Number(' 12 '), Number('1,2'), Number('0b1'), Number(null), Number([5]), Number('1e3')].map(String),
  dates: () => [new Date(0).toISOString(), new Date('2024-02-29').getTime(), new Date('2024-02-29T10:00:00+02:00').toJSON(), Date.UTC(2024, 0, 31), new Date(2024, 0, 31, 25).toISOString()],
  dateText: () => [String(new Date(0)), new Date(0).toUTCString(), new Date(0).toDateString(), new Date(NaN).getTime(), String(new Date('x'))],
  dateLocale: () => [new Date(0).toLocaleDateString(), new Date(0).toLocaleTimeString(), new Date(0).toLocaleString()],
  dateBad: () => new Date('nonsense').toISOString(),
  keys: () => Object.entries({ b: 1, 10: 2, a: 3, 9: 4, [Symbol.iterator]: 5, '-1': 6 }),
  json: () => [JSON.stringify({ u: undefined, n: null, f() {}, d: new Date(0), i: Infinity, nested: { toJSON: (k) => k } }), JSON.stringify([undefined]), JSON.stringify('\u2028\ud800'), JSON.stringify({ a: [1, { b: 2 }], c: {} , d: []}, null, 2), JSON.stringify({ a: 1, b: 2 }, ['b']), JSON.stringify({ a: 1 }, null, '--')],
  jsonParse: () => [JSON.parse('1e3'), JSON.parse('"\\u00e9"'), JSON.parse('[1,2]', (k, v) => (Array.isArray(v) ? v : v * 2)), JSON.parse('{"a":1,"a":2}')],
  jsonBad: () => JSON.parse('{a:1}'),
  jsonCycle: () => { const a = {}; a.a = a; return JSON.stringify(a); },
  map: () => { const m = new Map([[NaN, 1], ['a', 2]]); m.set(-0, 3); return [m.get(NaN), [...m.keys()].map(String), m.size, m.delete('a'), [...m.entries()].length, Object.fromEntries(new Map([['x', 1]]))]; },
  set: () => { const s = new Set([1, 1, '1', NaN, NaN]); return [s.size, [...s].map(String), s.has(NaN)]; },
  weak: () => { const k = {}; const w = new WeakMap([[k, 1]]); return [w.get(k), w.has({}), new WeakSet([k]).has(k)]; },
  bigint: () => [2n ** 64n, -7n / 2n, -7n % 2n, BigInt('0xff'), BigInt.asIntN(8, 255n), 5n > 4, 1n == 1, typeof 1n].map(String),
  bigintMixed: () => 1n + 1,
  regex: () => ['2024-02-29'.replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, '$<d>/$<m>/$<y>'), 'aBc'.replace(/b/i, (m, at) => m + at), [...'a1b22'.matchAll(/[a-z](\d+)/g)].map((m) => m[1]), 'x'.match(/y/), /(?<=\$)\d+/.exec('$42')[0], 'a\nb'.match(/^b/m)[0], /\p{L}+/u.exec('éa1')[0], 'a.b*c'.split(/[.*]/), /a/y.test('ba'), 'aXbX'.lastIndexOf('X')],
  strings: () => ['abc'.at(-1), 'abc'.padStart(5, '12'), ' x '.trim(), 'a-b'.replaceAll('-', '+'), '😀é'.normalize('NFD').length, [...'😀é'].length, 'straße'.toUpperCase(), 'İ'.toLowerCase().length, 'a,b,'.split(','), 'abc'.substr(-2, 1), 'z'.localeCompare('a'), encodeURIComponent('é &/'), escape('é'), 'x'.codePointAt(0), String.raw`\n${1}`],
  arrays: () => [[3, 1, 2, 10].sort(), [3, 1, 10].sort((a, b) => a - b), [1, [2, [3]]].flat(Infinity), [1, 2, 3].includes(NaN), [NaN].includes(NaN), Array.from({ length: 2 }, (_, i) => i), [1, 2, 3].copyWithin(0, 1), Array.of(7), [, 1].length, [1, 2, 3].reduceRight((a, b) => `${a}${b}`)],
  stable: () => Array.from({ length: 30 }, (_, i) => ({ i, k: i % 3 })).sort((a, b) => a.k - b.k).map((x) => x.i).join(),
  classes: () => {
    class A { #x = 1; static count = 0; static { A.count = 5; } y = this.#x + 1; get x() { return this.#x; } set x(v) { this.#x = v; } static of() { return new this(); } #m() { return 'm'; } m() { return this.#m(); } has(o) { return #x in o; } toString() { return 'A!'; } }
    class B extends A { z = super.x; m() { return `${super.m()}b`; } }
    const b = B.of();
    b.x = 7;
    return [b.x, b.y, b.z, A.count, b.m(), `${b}`, b.has(b), b.has({}), Object.keys(b), B.name, B.length, b.constructor === B];
  },
  symbols: () => [Symbol('d').description, String(Symbol.for('k')), Symbol.keyFor(Symbol.for('k')), typeof Symbol.asyncIterator, Object.getOwnPropertySymbols({ [Symbol('a')]: 1 }).length],
  proxies: () => { const seen = []; const p = new Proxy({ a: 1 }, { get: (t, k) => { seen.push(String(k)); return t[k] ?? 'none'; }, has: (t, k) => k === 'magic', ownKeys: () => ['a'] }); return [p.a, p.b, 'magic' in p, Object.keys(p), seen]; },
  reflect: () => [Reflect.ownKeys({ b: 1, 1: 1, [Symbol.iterator]: 1 }).map(String), Reflect.has({ a: 1 }, 'a'), Reflect.construct(Date, [0]).getTime(), Reflect.getPrototypeOf([]) === Array.prototype],
  operators: () => [null ?? 'd', 0 || 'e', (() => { let a = null; a ??= 1; a ||= 2; a &&= 3; return a; })(), 2 ** -1, -7 % 3, 7 >>> 1, -1 >>> 28, ~5, '5' * '2', '5' + 2, [] + {}, [] == false, null == 0, typeof null, void 0 === undefined],
  optional: () => { const o = { a: { f() { return this === o.a; } } }; return [o?.a?.f(), o.b?.c.d.e, o.b?.[1], o.x?.(), delete o?.a, o]; },
  spread: () => [{ ...'ab', ...[1], ...null, ...{ z: 1 } }, Math.max(...new Set([1, 5])), [...'é😀', ...new Map([[1, 2]])], (({ a, ...rest }) => rest)({ a: 1, b: 2, c: 3 })],
  destructuring: () => { const { a = 5, b: { c: [d, ...e] } = { c: [1, 2, 3] }, ...f } = { g: 1, h: 2 }; const [x, , y = 9] = 'pq'; return [a, d, e, f, x, y]; },
  tagged: () => ((s, ...v) => [s.raw, [...s], v])`a\n${1}b${2}`,
  labels: () => { const seen = []; outer: for (const a of [1, 2, 3]) { for (const b of 'xy') { if (a === 2) continue outer; if (a === 3) break outer; seen.push(a + b); } } return seen; },
  generators: () => { function* g(n) { const got = yield n; try { yield* [got, got]; } finally { yield 'f'; } return 'r'; } const it = g(1); return [it.next(), it.next('v'), it.return('out'), it.next(), it.next()]; },
  closures: () => { const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map((f) => f()); },
  accessors: () => { const o = { _v: 1, get v() { return this._v; }, set v(x) { this._v = x * 2; } }; o.v = 4; return [o.v, Object.getOwnPropertyDescriptor(o, 'v').enumerable, JSON.stringify(o)]; },
  frozen: () => { 'use strict'; const o = Object.freeze({ a: 1 }); o.a = 2; return o; },
  typed: () => [new Uint8Array([1, 300, -1]), Array.from(new Float32Array([0.1])), new DataView(new ArrayBuffer(8)).getFloat64(0), Uint8ClampedArray.of(300, -5)[0], new Uint16Array(new Uint8Array([1, 2]).buffer)[0]],
  buffers: () => [Buffer.from('héllo').toString('hex'), Buffer.from('aGk', 'base64').toString(), Buffer.from('ff00', 'hex'), Buffer.concat([Buffer.from('a'), Buffer.alloc(2, 'b')]).toString('base64url'), Buffer.byteLength('é'), Buffer.from([1, 2, 3]).readUInt16BE(1), Buffer.compare(Buffer.from('a'), Buffer.from('b')), Buffer.from('abc').indexOf('c'), Buffer.from('é', 'latin1').length],
  urls: () => { const u = new URL('../x?q=1&q=2#h', 'https://Ex.com:443/a/b/'); u.searchParams.append('é', ' '); return [u.href, u.origin, u.port, u.searchParams.getAll('q'), [...new URLSearchParams({ a: '1', b: '&' })], String(new URLSearchParams('?x=1+2'))]; },
  urlBad: () => new URL('nope'),
  base64: () => [btoa('\u00ff'), atob('/w==').charCodeAt(0)],
  btoaBad: () => btoa('\u0100'),
  coding: () => [[...new TextEncoder().encode('é')], new TextDecoder().decode(Uint8Array.of(0xc3, 0xa9, 0xff))],
  clones: () => structuredClone({ a: [new Date(0)], m: new Map([[1, 2]]) }),
  inspected: () => [require('util').inspect({ a: [1, 'x'], m: new Map([[1, { b: 2 }]]), f() {}, n: null }), require('util').format('%s %d %j %o', 'a', 1.5, { a: 1 }, { b: 2 })],
  crypto: () => { const c = require('crypto'); return [c.createHash('sha256').update('a').digest('hex'), c.createHmac('sha512', 'k').update('a').digest('base64'), c.pbkdf2Sync('p', 's', 10, 16, 'sha1').toString('hex'), c.timingSafeEqual(Buffer.from('a'), Buffer.from('a')), c.randomBytes(8).length, /^[0-9a-f-]{36}$/.test(c.randomUUID())]; },
  querystring: () => { const q = require('querystring'); return [q.stringify({ a: [1, 2], b: 'é &' }), q.parse('a=1&a=2&b=%20')]; },
  errors: () => { const e = new RangeError('m', { cause: 1 }); return [String(e), e.cause, Object.keys(e), e instanceof Error, Object.prototype.toString.call(e), new AggregateError([1], 'x').errors, e.stack.split('\n')[0]]; },
  dataView: () => { const v = new DataView(new ArrayBuffer(12), 1); v.setBigInt64(0, -2n); v.setBigUint64(2, 2n ** 64n + 258n, true); return [v.getBigInt64(0), v.getBigUint64(0, true), v.getBigInt64(1, true), v.getBigUint64(3), typeof v.getBigInt64]; },
  functionClass: () => { class C extends Function { constructor(f) { return Object.setPrototypeOf(f, new.target.prototype); } twice(x) { return this(this(x)); } } const c = new C((x) => x + 1); return [c(1), c.twice(1), c instanceof C, c instanceof Function]; },
  dataViewOffsets: () => { const v = new DataView(new ArrayBuffer(16)); v.setBigInt64(undefined, 1n); v.setBigUint64('8', 2n); return [v.getBigInt64(), v.getBigUint64('8'), v.getBigInt64(1.9), v.getBigInt64.name]; },
  dataViewBefore: () => { const v = new DataView(new ArrayBuffer(16)); let e; try { v.setBigInt64(-4, -1n); } catch (x) { e = x.name; } return [e, v.getBigInt64(0)]; },
  dataViewEnd: () => new DataView(new ArrayBuffer(12)).setBigInt64(5, 1n),
  dataViewNumber: () => new DataView(new ArrayBuffer(12)).setBigInt64(0, 1),
  keyTypes: () => { const c = require('crypto'), { types } = require('util'), key = c.createSecretKey(Buffer.from('a')); return [types.isKeyObject(key), types.isCryptoKey(key), types.isKeyObject({}), types.isCryptoKey(null)]; },
  ownStacks: () => {
    class Named extends Error { constructor(m) { super(m); this.name = 'Named'; } }
    class Later extends TypeError { constructor(m) { super(m); Error.captureStackTrace(this, Later); this.message = 'later'; } }
    class Plain extends Named {}
    class Inherited extends Error {}
    Inherited.prototype.name = 'Inherited';
    function Old(m) { Error.captureStackTrace(this, this.constructor); this.message = m; }
    Old.prototype = Object.create(Error.prototype, { constructor: { value: Old }, name: { value: 'Old' } });
    const changed = new Error('a');
    changed.message = 'b';
    const read = new Error('a');
    const before = read.stack;
    read.message = 'b';
    const set = new Plain('a');
    set.stack = 'own';
    const moved = Object.setPrototypeOf(new Error('a'), { name: 'Moved' });
    return [new Named('x'), new Later('x'), new Plain('x'), new Inherited('x'), new Old('x'), changed, read, set, moved, Object.assign(new Error('x'), { name: 'Assigned' })]
      .map((e) => e.stack.split('\n')[0]).concat(before === read.stack, Object.keys(new Old('x')), String(new Plain('y')));
  },
  stack: () => new Error('x').stack.split('\n')[1].replace(/^.*?(\d+)(:\d+)?\)?$/, '$1'),
  globals: () => [typeof globalThis, typeof Buffer, typeof fetch, typeof setImmediate, typeof queueMicrotask, typeof structuredClone, typeof AbortController, typeof window, typeof EventTarget],
  functions: () => [((a, b = 1, ...c) => 1).length, (function named() {}).name, (() => {}).name, (function () { return arguments.length; })(1, 2), [1, 2].map(Number.prototype.toFixed.call.bind(Number.prototype.toFixed))],
};

module.exports = () => {
  const shown = (value) => JSON.stringify(value, (key, v) => (typeof v === 'bigint' ? `${v}n` : v === undefined ? '<undefined>' : Object.is(v, -0) ? '-0' : v));
  const results = {};
  for (const name of Object.keys(checks)) {
    try {
      results[name] = JSON.parse(shown(checks[name]()));
    } catch (e) {
      results[name] = `throws ${e.name}`;
    }
  }
  return { body: results };
};
