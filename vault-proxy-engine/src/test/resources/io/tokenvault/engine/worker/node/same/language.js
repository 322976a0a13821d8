var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
check('flat', function () { return [[1, [2, [3, [4]]]].flat(), [1, [2, [3]]].flat(Infinity), [1, 2].flatMap(function (x) { return [x, [x]]; })]; });
check('at', function () { return [[1, 2].at(-1), String([1].at(5)), 'abc'.at(-1), new Uint8Array([1, 2]).at(-1)]; });
check('fromEntries', function () { return [Object.fromEntries(new Map([['a', 1]])), Object.fromEntries([['b', 2]])]; });
check('matchAll', function () { return Array.from('a1b2'.matchAll(/([a-z])(?<n>\d)/g)).map(function (m) { return [m[0], m[1], m.index, m.groups.n]; }); });
check('matchAll needs g', function () { try { 'a'.matchAll(/a/); } catch (e) { return e.name; } });
check('replaceAll', function () { return ['a.a.a'.replaceAll('.', '-'), 'aa'.replaceAll(/a/g, 'b'), 'x'.replaceAll('', '_'), 'abc'.replaceAll('b', function (m, at) { return m + at; }), 'a$b'.replaceAll('$', '$$')]; });
check('replaceAll needs g', function () { try { 'a'.replaceAll(/a/, 'b'); } catch (e) { return e.name; } });
check('numbers as text', function () { return [0.1 + 0.2, 1e21, 1e-7, 123456789012345680000, 1.7976931348623157e308, -1e-7, 100, 1.10, 0.000001, 123e-20].map(String); });
check('toFixed and kin', function () { return [(1.005).toFixed(2), (1.45).toFixed(1), (8.345).toFixed(2), (0).toFixed(2), (-1.5).toFixed(0), (123.456).toPrecision(4), (0.00001).toPrecision(1), (12345.678).toExponential(2), (255).toString(16), (0.5).toString(2), (1e21).toFixed(2)]; });
check('key order', function () { var o = { b: 1, 2: 1, a: 1, 1: 1 }; o.c = 1; delete o.b; o.b = 2; return [Object.keys(o), JSON.stringify(o), Object.entries(o)]; });
check('JSON', function () { return JSON.stringify({ a: undefined, b: function () {}, c: NaN, d: new Date(0), e: '\u2028"\\\u0007', f: -0, g: [undefined, Symbol('x')], h: Object('s'), i: { toJSON: function () { return 'j'; } } }); });
check('JSON with indent', function () { return JSON.stringify({ a: [1, { b: [] }], c: {} }, null, 2); });
check('JSON with list', function () { return JSON.stringify({ a: 1, b: 2, c: { a: 3 } }, ['a', 'c']); });
check('JSON with function', function () { return JSON.stringify({ a: 1, b: [1, 2] }, function (k, v) { return typeof v === 'number' ? v * 2 : v; }); });
check('JSON reviver', function () { return JSON.parse('{"a":[1,2],"b":"x"}', function (k, v) { return typeof v === 'number' ? v + 1 : v; }); });
check('JSON of BigInt', function () { try { JSON.stringify(BigInt(1)); } catch (e) { return e.name; } });
check('sort is stable', function () { return [5, 1, 4].sort().concat(['b', undefined, 'a'].sort()).concat([10, 9, 1].sort()).map(String); });
check('regular expressions', function () { return [/(?<y>\d{4})-(?<m>\d\d)/.exec('2024-01').groups.y, '2024-01'.replace(/(?<y>\d{4})-(?<m>\d\d)/, '$<m>/$<y>'), 'a1'.replace(/(?<=a)\d/, 'x'), /a.b/s.test('a\nb'), /\p{L}/u.test('é'), /^.$/u.test('😀'), 'aBc'.split(/(b)/i), /a/gimsy.flags, 'x-y_z'.split(/[-_]/)]; });
check('BigInt', function () { return [String(BigInt('12345678901234567890') * BigInt(2)), typeof BigInt(1), BigInt(5) > 3, BigInt.asUintN(8, BigInt(257)) === BigInt(1), (BigInt(255)).toString(16)]; });
check('Symbol', function () { return [Symbol('x').description, Symbol.for('a') === Symbol.for('a'), typeof Symbol.asyncIterator, String(Symbol('y'))]; });
check('globalThis', function () { return [globalThis === global, typeof globalThis, Object.prototype.toString.call(globalThis), Object.keys(globalThis).indexOf('URL')]; });
check('errors', function () { var e = new TypeError('m', { cause: 'c' }); return [e.cause, e.stack.split('\n')[0], Object.keys(e), e instanceof Error, String(e), Object.prototype.hasOwnProperty.call(e, 'message'), 'cause' in new Error('x'), JSON.stringify(e)]; });
check('first line of a stack', function () { var e = new Error('a'); e.name = 'N'; e.message = 'b'; var o = { message: '1' }; Error.captureStackTrace(o); o.message = '2'; var r = new Error('a'); r.stack; r.message = 'b'; return [e, o, r].map(function (each) { return each.stack.split('\n')[0]; }); });
check('captureStackTrace', function () { var o = { name: 'N', message: 'm' }; Error.captureStackTrace(o); return [typeof o.stack, o.stack.split('\n')[0], Object.keys(o)]; });
check('source of native functions', function () { return [String(Object), String(Math.max), String([].map), String(Error), Function.prototype.toString.call(Promise.resolve)]; });
check('prepareStackTrace', function () {
  function caller() {
    var holder = {};
    Error.captureStackTrace(holder);
    return [holder.stack, new Error('e').stack];
  }
  Error.prepareStackTrace = function (error, sites) {
    var site = sites[0];
    return [error.message, Array.isArray(sites), site.getFunctionName(), site.getLineNumber() > 0, site.isNative(),
      site.isConstructor(), typeof new Error('inner').stack, String(site).indexOf('caller (') === 0];
  };
  try {
    return caller();
  } finally {
    delete Error.prepareStackTrace;
  }
});
check('prepareStackTrace that throws', function () {
  Error.prepareStackTrace = function () { throw new RangeError('from the function'); };
  try {
    var holder = {};
    Error.captureStackTrace(holder);
    return typeof holder.stack;
  } finally {
    Error.prepareStackTrace = undefined;
  }
});
check('AggregateError', function () { var e = new AggregateError([1, new Error('x')], 'all'); return [e.message, e.errors.length, e.name]; });
check('engine errors', function () { try { null.x; } catch (e) { return [e instanceof TypeError, e.name, Object.keys(e)]; } });
check('padding without a limit', function () { return ['padStart', 'padEnd'].map(function (name) { return [errorOf(() => 'x'[name](Math.pow(2, 53))), 'x'[name](Math.pow(2, 53), '').length, 'ab'[name](4, 'xyz'), 'ab'[name](), ''[name].name]; }); });
check('padding and trimming', function () { return ['5'.padStart(3, '0'), 'a'.padEnd(3, 'xy'), ' a '.trimStart() + '|', ' a '.trimEnd() + '|', 'abc'.substr(-2, 1), 'ab'.repeat(2), 'abc'.includes('b'), 'abc'.startsWith('b', 1), 'é'.normalize('NFD').length, 'ß'.toUpperCase(), 'İ'.toLowerCase().length]; });
check('localeCompare', function () { return [['b', 'a', 'C', 'ä', 'A'].sort(function (a, b) { return a.localeCompare(b); }), 'a'.localeCompare('a')]; });
check('URI functions', function () { return [encodeURIComponent('é &/😀'), decodeURIComponent('%C3%A9'), encodeURI('http://a/é?b=c d'), escape('é ü'), unescape('%E9')]; });
check('getters and proxies', function () { var p = new Proxy({}, { get: function (t, k) { return 'got ' + String(k); } }); return [p.a, Reflect.ownKeys({ a: 1 }), Object.getOwnPropertyDescriptors({ get b() { return 1; } }).b.enumerable]; });
check('dates that are not in ISO format', function () { return ['1/2/24', '1/2/49', '1/2/50', '12/25/1995 13:30', '01/02/2024', '2024/01/02', 'January 2024', 'Jan 2024', '2024 Jan 5', '5-Jan-2024', '05-Jan-24', 'Jan 2, 2024', '2 January 2024 3:04 pm', 'Jan 2 2024 12:00 AM EST', 'Mar 5', '3/5', '5', '13', '32', '-1', '02-03-2024', '2024.01.02', '1 2 3', '12:00', 'Tue, 02 Jan 2024 03:04:05 GMT', 'Tue Jan 02 2024 03:04:05 GMT+0100 (CET)', 'Thu, 01 Jan 1970 00:00:00 GMT+0200', '2 Jan 2024 10:00 -05:30', 'Mon Jan 1 00:00:00 2024', 'Feb 30 2024', '2/32/2024', '13/1/2024', '20240102', 'garbage', '', '2024-01-02 03:04:05', '2024-1-2', '2024-02-30', '1/2/2024 24:00', '1/2/2024 25:00', '1/2/2024 10:20:30.5', '1/2/2024 13:00 pm', 'May 4 2024 at 5', 'Sun Nov 06 08:49:37 1994 PST'].map(function (text) { return text + ' ' + +new Date(text); }); });
check('Reflect.set and proxies', function () {
  function proxyOf(target) {
    return new Proxy(target, {
      get: function (t, key, receiver) { return Reflect.get(t, key, receiver); },
      set: function (t, key, value, receiver) { return Reflect.set(t, key, value, receiver); }
    });
  }
  var object = {};
  var list = [1, 2];
  var accessor = { get v() { return this.q * 2; }, set v(x) { this.q = x; } };
  var proxies = [proxyOf(object), proxyOf(list), proxyOf(accessor)];
  proxies[0].x = 1;
  proxies[0].x = 2;
  proxies[1].push(3);
  proxies[1][0] = 9;
  proxies[2].v = 4;
  var receiver = {};
  Reflect.set({ a: 1 }, 'a', 5, receiver);
  return [object, list, proxies[1].map(function (x) { return x + 1; }), proxies[2].v, Object.keys(proxies[2]), receiver];
});
check('Reflect.set that fails', function () {
  return [Reflect.set(Object.freeze({}), 'x', 1), Reflect.set(Object.freeze({ x: 1 }), 'x', 2), Reflect.set({}, 'x', 1, 5), Reflect.set({ get x() { return 1; } }, 'x', 2),
    Reflect.set({}, 'x', 1, Object.freeze({})), Reflect.set([1], 'length', 0)];
});
check('Reflect.get of elements', function () {
  var p = new Proxy([1, 2], { get: function (t, key) { return Reflect.get(t, key); } });
  return [Reflect.get([1, 2], '1'), Reflect.get([1, 2], 0), p[0], p.length, p.concat([3])];
});
check('numbers that are bigints', function () { return [Number.isInteger, Number.isSafeInteger, Number.isFinite].map(function (f) { return [f.name, f.length, f(BigInt(1)), f(1), f(1.5), f(Math.pow(2, 53)), f(1 / 0), f('1'), f(), f(-0), f(-1e300)]; }); });
check('date of one value', function () { return [[2020, 1], [2020], ['2020-01-05'], true, null, new Date(7), { valueOf: function () { return 8; } }, { toString: function () { return '2021'; }, valueOf: undefined }].map(function (value) { return new Date(value).getTime(); }); });
check('days after the end of a month', function () { return ['2024-02-30T00:00', '2024-02-30T10:00:00Z', '2024-04-31T10:00:00.000+02:00', '2023-02-29T12:00Z', '2023-02-29', '2024-02-32T00:00', '2024-13-31T00:00', '2024-01-31T24:00:00Z'].map(function (text) { return String(Date.parse(text)); }); });
check('length and name of a function', function () { function f(a) {} Object.defineProperties(f, { length: { value: 9 }, name: { value: 'q' } }); return [f.length, f.name, Object.getOwnPropertyDescriptor(f, 'length'), Object.defineProperties({}, { length: { value: 1 } }).length]; });
check('toJSON of dates', function () { var d = new Date(5); d.toISOString = function () { return 'at ' + this.getTime(); }; return [JSON.stringify(d), JSON.stringify({ d: d }, null, 1), new Date(NaN).toJSON(), new Date(5).toJSON(), Date.prototype.toJSON.call({ toISOString: () => 5 }), JSON.stringify([new Date(NaN)]), Date.prototype.toJSON.length]; });
check('traps of proxies', function () {
  'use strict';
  var seen = [];
  function Item(a, b) { if (this) this.parts = [a, b]; }
  var handler = {
    construct: function (target, args, newTarget) { seen.push(Array.isArray(args), newTarget === Made, this === handler); return Reflect.construct(target, args); },
    apply: function (target, self, args) { return args.concat(Array.isArray(args)); }
  };
  var Made = new Proxy(Item, handler);
  var revocable = Proxy.revocable({ a: 1 }, { get: function (target, key) { return key + target[key]; } });
  seen.push(new Made(1, 2).parts, Made(3), revocable.proxy.a);
  revocable.revoke();
  return seen.concat([() => revocable.proxy.a, () => Reflect.set(revocable.proxy, 'a', 1), () => new (new Proxy(Item, { construct: () => 1 }))(), () => new Proxy({}), () => new Proxy(1, {}), () => Proxy({}, {})].map(errorOf));
});
check('traps that refuse', function () {
  'use strict';
  var calls = [];
  var p = new Proxy({ a: 1, 0: 2 }, { set: function (target, key, value, receiver) { calls.push(String(key), receiver === p); return false; }, deleteProperty: () => false, defineProperty: () => 0 });
  return [() => { p.a = 2; }, () => { p[0] = 2; }, () => { p[Symbol.iterator] = 2; }, () => { p.a++; }, () => delete p.a, () => delete p[0], () => Object.defineProperty(p, 'b', { value: 1 }),
    () => Reflect.set(p, 'a', 1), () => Reflect.set(p, 0, 1, {}), () => Reflect.deleteProperty(p, 'a'), () => Reflect.defineProperty(p, 'b', { value: 1 }), () => Reflect.set(new Proxy(p, {}), 'a', 1), () => Reflect.deleteProperty(new Proxy({ a: 1 }, {}), 'a')].map(errorOf).concat(calls);
});
check('traps that refuse in sloppy mode', function () {
  var p = new Proxy({ a: 1 }, { set: () => false, deleteProperty: () => false });
  p.a = 2;
  return [delete p.a, p.a];
});
check('reflection on proxies of functions and unusual handlers', function () {
  'use strict';
  function refusing(target) { return new Proxy(target, { set: () => false, deleteProperty: () => false }); }
  function accepting(target) { return new Proxy(target, { set: () => true, deleteProperty: () => true }); }
  var frozen = Object.freeze({ a: 1 });
  var calls = [];
  var counting = new Proxy({}, { set: function () { calls.push(arguments.length); return true; }, deleteProperty: function () { calls.push(arguments.length); return true; } });
  return [() => Reflect.set(refusing(function f() {}), 'a', 1), () => Reflect.deleteProperty(refusing(function () {}), 'a'), () => Reflect.set(accepting(frozen), 'a', 2), () => Reflect.set(accepting(frozen), 'a', 1), () => Reflect.set(accepting(frozen), 'b', 1),
    () => Reflect.deleteProperty(accepting(frozen), 'a'), () => Reflect.deleteProperty(accepting(frozen), 'b'), () => Reflect.set(new Proxy({}, { set: 5 }), 'a', 1), () => Reflect.deleteProperty(new Proxy({}, { deleteProperty: Symbol('s') }), 'a'),
    () => Reflect.set(counting, 'a', 1), () => Reflect.deleteProperty(counting, 'a')].map(errorOf).concat(calls);
});
check('Map without groupBy', function () {
  return [typeof Map.groupBy, new Map([[1, 2]]).get(1)];
});
check('unsigned numbers of 64 bits', function () {
  var list = new BigUint64Array([1n, 1n << 63n, (1n << 64n) - 1n, -2n]);
  var part = new BigUint64Array(new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128]).buffer, 8, 1);
  return [list, list.slice(1), list.subarray(2, 3), list.map(n => n - 1n), list.filter(n => n > 1n), [...list], part, BigUint64Array.from(list), new BigUint64Array(new BigInt64Array([-1n])), new BigInt64Array(list)]
    .map(each => Array.from(each, String)).concat(list.join(), list.includes(1n << 63n), list.indexOf((1n << 64n) - 1n), String(list.at(-1)), list[9] === undefined, list instanceof BigUint64Array, list.constructor === BigUint64Array,
      Object.prototype.toString.call(list), part.byteOffset, String(structuredClone(part)[0]), Buffer.from(part.buffer).readBigUInt64LE(8).toString());
});
check('typed arrays from other values', function () {
  function* numbers() { yield 1; yield 300; }
  var made = [new Uint8Array(new Set([1, 2])), new Uint16Array({ length: 2, 1: 7 }), new Float32Array([1.5].values()), new Uint8ClampedArray(numbers()), new Int8Array(new Map([[1, 2]]).keys()), new BigInt64Array(new Set([5n])), new Uint8Array({}), new Uint8Array((function () { return arguments; })(4, 5)), new Float64Array(new Proxy([6], {}))];
  return [made.map(array => Array.from(array, Number)), Uint8Array.name, Uint8Array.length, Uint8Array.BYTES_PER_ELEMENT, made[0].constructor === Uint8Array, Uint8Array[Symbol.species] === Uint8Array,
    Object.getPrototypeOf(Uint8Array) === Object.getPrototypeOf(Int16Array), Object.keys(Uint8Array), Buffer.from('a') instanceof Uint8Array, made[0].map(x => x + 1) instanceof Uint8Array, Uint8Array.from([1]) instanceof Uint8Array, errorOf(() => Uint8Array(1))];
});
function errorOf(run) {
  'use strict';
  try { return run(); } catch (e) { return e.name; }
}
check('JSON of proxies', function () {
  var p = new Proxy([1, { a: [] }], {});
  return [JSON.stringify(p), JSON.stringify({ p: p }), JSON.stringify(new Proxy({ a: 1 }, {}))];
});
check('Object.hasOwn', function () {
  var names = [Object.hasOwn('abc', 'length'), Object.hasOwn('abc', 1), Object.hasOwn(5, 'x'), Object.hasOwn([1], '0'), Object.hasOwn({ a: 1 }, 'toString')];
  try { Object.hasOwn(null, 'a'); } catch (e) { names.push(e.name); }
  return names;
});
check('Date without new', function () {
  function Day() {}
  Day.prototype = Object.create(Date.prototype);
  var day = Reflect.construct(Date, [0], Day);
  return [typeof Date.call(new Date(0)), typeof Date.apply({}, [0]), day instanceof Day, day.getTime()];
});
check('descriptors of proxies', function () {
  var handler = {};
  ['get', 'set', 'getOwnPropertyDescriptor', 'defineProperty'].forEach(function (name) { handler[name] = Reflect[name]; });
  var p = new Proxy({ a: 1 }, handler);
  p.b = 2;
  p[0] = 'zero';
  var hidden = new Proxy(Object.freeze({ a: 1 }), { getOwnPropertyDescriptor: function () {} });
  var errors = ['a', 'b'].map(function (key) { return errorOf(function () { return String(Object.getOwnPropertyDescriptor(hidden, key)); }); });
  return [p, Object.getOwnPropertyDescriptor(p, 'c') === undefined, Reflect.getOwnPropertyDescriptor(p, 'b'), errors];
});
check('Reflect.deleteProperty', function () {
  return [Reflect.deleteProperty(Object.freeze({ a: 1 }), 'a'), Reflect.deleteProperty(Object.freeze({}), 'b'), Reflect.deleteProperty([1], 'length'), Reflect.deleteProperty({ a: 1 }, 'a')];
});
check('digits of Math', function () {
  return [Math.sin(0.46577927470207214), Math.cos(2.002480387687683), Math.tan(0.9270522594451904), Math.exp(20.993711054325104), Math.log(2.375534176826477),
    Math.log10(0.797931432723999), Math.log2(8), Math.sinh(1), Math.cosh(1), Math.tanh(1), Math.sin.name, Math.exp.length, String(Math.log()), Math.exp('1')];
});
check('JSON passed through a function', function () {
  var keys = [];
  var some = JSON.parse('{"a":[1,2,{"b":3}],"5":4}', function (k, v) { keys.push(typeof k + k); return v === 2 ? undefined : k === 'b' && v === 3 ? 'three' : v; });
  return [keys, some, 1 in some.a, JSON.stringify([1, [2, 3]], function (k, v) { return k.endsWith('1') && v === 3 ? typeof k : v; }),
    JSON.parse('{"a":1,"b":2}', function (k, v) { if (k === 'a') { delete this.b; } return k === 'b' ? String(v) : v; }), JSON.parse('[1]', null), JSON.parse.length];
});
check('assign elements', function () {
  var seen = [];
  var proxy = new Proxy({}, { set: function (t, k, v) { seen.push(String(k)); t[k] = v; return true; } });
  var source = { a: 1, 0: 2 };
  source[Symbol.iterator] = 3;
  return [Object.assign([7, 8, 9], [1]), Object.assign([], 'ab', { length: 1 }), Object.assign([1], null, { 2: 3 }).length, Object.assign(proxy, source)[Symbol.iterator], seen,
    Array.from(Object.assign(new Uint8Array(2), [5])), Object.assign({}, new Uint8Array([6])), Object.assign(new Proxy([], {}), { 1: 'x' }).length];
});
check('toJSON of dates of a script', function () {
  var own = Date.prototype.toJSON;
  Date.prototype.toJSON = function () { return 'own'; };
  var made = JSON.stringify(new Date(0));
  Date.prototype.toJSON = own;
  return [made, JSON.stringify([new Date(0), new Date(NaN)]), own.call({ toISOString: function () { return 1; } }), own.name, own.length];
});
check('typed arrays from undefined, parts to the end', function () {
  return [String(Float64Array.from([1, undefined])), Array.from(Uint8Array.from({ length: 2, 1: '3' }, function (x) { return x + 1; })), String(Uint8Array.from.length),
    Array.from(new Uint8Array([1, 2, 3]).subarray(1, Infinity)), Array.from(new Uint8Array([1, 2, 3]).subarray(-2, -1)), new Uint8Array(2).subarray(-Infinity).length];
});
check('keys in traps', function () {
  var types = [];
  function noting(name) { return function (target, key) { types.push(typeof key); return Reflect[name].apply(null, arguments); }; }
  var proxy = new Proxy([1], { defineProperty: noting('defineProperty'), getOwnPropertyDescriptor: noting('getOwnPropertyDescriptor'), set: noting('set') });
  Object.defineProperty(proxy, 1, { value: 5, configurable: true });
  proxy[0] = 2;
  return [Object.getOwnPropertyDescriptor(proxy, 1).value, Object.getOwnPropertyDescriptor(proxy, 7) === undefined, types.filter(function (type) { return type !== 'string'; })];
});
check('lists of proxies', function () {
  var shown = { a: 1, 5: 2 };
  shown[Symbol.iterator] = 3;
  Object.defineProperty(shown, 'hidden', { value: 4, configurable: true });
  var proxy = new Proxy({}, {
    get: function (target, key) { return shown[key]; }, has: function () { return true; }, ownKeys: function () { return Reflect.ownKeys(shown); },
    getOwnPropertyDescriptor: function (target, key) { return Reflect.getOwnPropertyDescriptor(shown, key); }
  });
  return [Object.keys(proxy), Object.values(proxy), Object.entries(proxy), Object.getOwnPropertyNames(proxy), Object.hasOwn(proxy, 'a'), Object.hasOwn(proxy, 'b'),
    Object.keys(new Proxy([7], {})), Object.entries(new Proxy([7], {})), Object.getOwnPropertyNames(new Proxy([7], {})), Object.keys(new Proxy({}, { ownKeys: function () { return ['a']; } }))];
});
check('properties of functions that scripts define', function () {
  function made(name, descriptor) { return Object.defineProperty(function (a) {}, name, descriptor); }
  var writable = made('length', { writable: true });
  writable.length = 7;
  return [made('length', { value: 5 }).length, made('length', { value: 'x', enumerable: true }).length, writable.length, made('length', { get: function () { return 9; } }).length,
    Object.getOwnPropertyDescriptor(made('length', {}), 'length'), made('name', { value: 'n' }).length];
});
check('Reflect.apply without an object', function () {
  function isGlobal(a) { return [this === globalThis, a]; }
  return [Reflect.apply(isGlobal, undefined, [1]), Reflect.apply(isGlobal, null, { length: 1, 0: 2 }), Reflect.apply(isGlobal, {}, [3]),
    new Proxy(isGlobal, { apply: function (target, self, list) { return [self === undefined, list]; } })(4)];
});
check('extends Object', function () {
  var given = { a: 1 };
  var made = Reflect.construct(Object, [given], function () {});
  return [made.a, Object.getPrototypeOf(given) === Object.prototype];
});
module.exports = function () {
  return Promise.allSettled([Promise.resolve(1), Promise.reject(new Error('no'))]).then(function (settled) {
    results.allSettled = settled.map(function (s) { return [s.status, s.value === undefined ? s.reason.message : s.value]; });
    return Promise.any([Promise.reject(1), Promise.resolve(2)]);
  }).then(function (any) {
    results.any = any;
    return Promise.any([Promise.reject(1)]).catch(function (e) { return [e.name, e.message, e.errors]; });
  }).then(function (none) {
    results.anyNone = none;
    return Promise.resolve(3).finally(function () { return 4; });
  }).then(function (value) {
    results.finally = value;
    var order = results.orderOfPromises = [];
    Promise.allSettled([1, Promise.reject(2)]).then(function (settled) { order.push(settled); });
    Promise.all([1, 2]).then(function () { order.push('all'); });
    Promise.any([Promise.reject(1), 2]).then(function (first) { order.push('any', first); });
    Promise.any([]).catch(function (e) { order.push('none', e.errors, e instanceof AggregateError); });
    Promise.allSettled([]).then(function (none) { order.push(none); });
    return Promise.allSettled(5).catch(function (e) { order.push(e.name); });
  }).then(function () {
    var steps = Promise.resolve(0);
    [1, 2, 3, 4].forEach(function (step) { steps = steps.then(function () { results.orderOfPromises.push(step); }); });
    return steps;
  }).then(function () {
    return { body: results };
  });
};
