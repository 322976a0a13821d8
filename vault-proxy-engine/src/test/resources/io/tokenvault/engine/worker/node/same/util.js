var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}

var util = require('util');
function Foo(x) { this.x = x; }
function Bar() {}
Bar.prototype.toString = function () { return 'a bar'; };
var circular = { name: 'c', list: [] };
circular.self = circular;
circular.list.push(circular);
var nothing = Object.create(null);
nothing.a = 1;
var values = {
  string: "it's", quotes: 'a"b\'c', ticks: 'a"b\'c`d', newline: 'a\nb\t\u0001\u007f', emoji: '😀é', surrogate: '\ud800', number: 1.5, zero: -0, nan: NaN, bigint: BigInt(12), yes: true, nil: null, undef: undefined, symbol: Symbol('s'), emptySymbol: Symbol(),
  empty: {}, emptyArray: [], array: [1, 'a', null, undefined], holes: [1, , , 2], extra: Object.assign([1], { key: 'v' }), object: { a: 1, 'b-c': 2, 3: 3, __: 4, '': 5 }, nested: { a: { b: { c: { d: 1 } } } }, nestedArray: [[[[1]]]],
  circular: circular, nullProto: nothing, foo: new Foo(1), emptyFoo: new Bar(), fn: function named() {}, arrow: Object.assign(function f() {}, { a: 1 }),
  date: new Date(0), invalidDate: new Date(NaN), regexp: /a\/b/gi, map: new Map([['a', { b: 1 }], [{ k: 1 }, [1]]]), set: new Set([1, 'a', { b: 2 }]), emptyMap: new Map(), emptySet: new Set(), weakMap: new WeakMap(), weakSet: new WeakSet(),
  boxed: [Object('a'), Object(1), Object(true), Object(Symbol('x')), Object(BigInt(1))], bytes: new Uint8Array([1, 2, 3]), floats: new Float64Array([1.5, 2]), buffer: new Uint8Array([1, 255]).buffer, view: new DataView(new ArrayBuffer(2)),
  getters: Object.defineProperties({}, { g: { get: function () { return 1; }, enumerable: true }, s: { set: function () {}, enumerable: true }, gs: { get: function () {}, set: function () {}, enumerable: true }, hidden: { value: 1 } }),
  symbolKey: (function () { var o = {}; o[Symbol('k')] = 1; return o; })(), longString: 'x'.repeat(200), longArray: Array.from({ length: 120 }, function (_, i) { return i; }), strings: ['apple', 'banana', 'cherry', 'dragonfruit', 'elderberry', 'fig', 'grape', 'honeydew'],
  wide: { alpha: 'a long enough text', beta: 'another long enough text', gamma: 'and one more text', delta: [1, 2, 3] }, manyKeys: Object.fromEntries(Array.from({ length: 30 }, function (_, i) { return ['key' + i, i]; })),
  token: { id: 'abc', type: 'card', data: { number: '4242', expiration_month: 12, nested: { deeper: { deepest: true } } }, containers: ['/pci/high/'], metadata: { a: 'b' }, created_at: '2024-01-02T03:04:05Z' },
  arrayOfObjects: [{ id: 1, name: 'one' }, { id: 2, name: 'two' }, { id: 3, name: 'three', tags: ['a', 'b', 'c'] }], multiline: { text: 'first line\nsecond line that is long enough to be split over several lines of output, yes\nthird' }, args: (function () { return arguments; })(1, 2),
  manyNumbers: Array.from({ length: 30 }, function (_, i) { return i * 1000; }), negative: [-1, -22, 333, 4, 5, 6, 7], mixed: [1, 'a', 2, 'b', 3, 'c', 4, 'd'], nestedMap: new Map([['k', new Map([['j', new Map([['i', new Map()]])]])]]), tagged: (function () { var o = { a: 1 }; o[Symbol.toStringTag] = 'Tag'; return o; })(),
  custom: (function () { var o = {}; o[util.inspect.custom] = function (depth, options) { return 'custom ' + depth + typeof options; }; return { in: o }; })(), customObject: (function () { var o = {}; o[Symbol.for('nodejs.util.inspect.custom')] = function () { return { shown: 1 }; }; return o; })()
};
(function (f) { values.anonymous = f; })(function () {});
Object.keys(values).forEach(function (name) {
  check('inspect ' + name, function () {
    return util.inspect(values[name]);
  });
});
[{ depth: 0 }, { depth: 1 }, { depth: null }, { compact: false }, { compact: 1 }, { breakLength: 40 }, { breakLength: Infinity }, { sorted: true }, { maxArrayLength: 1 }, { maxStringLength: 3 }].forEach(function (options) {
  ['token', 'nested', 'arrayOfObjects', 'map'].forEach(function (name) {
    check('inspect ' + name + ' ' + JSON.stringify(options), function () {
      return util.inspect(values[name], options);
    });
  });
});
check('styles of custom inspection', function () {
  var value = {};
  value[util.inspect.custom] = function (depth, options) { return options.stylize('styled', 'special') + depth; };
  return [util.inspect(value), util.inspect([value]), util.inspect(new AbortController().signal), util.inspect({ s: AbortSignal.abort() })];
});
check('error without stack', function () {
  var e = new TypeError('bad');
  e.stack = undefined;
  return util.inspect(e);
});
check('error first line', function () {
  return util.inspect(new RangeError('out')).split('\n')[0];
});
check('error with stack text and keys', function () {
  var e = new Error('m');
  e.stack = 'Error: m\n    at here';
  e.code = 'X';
  return util.inspect({ e: e });
});
check('error in brackets', function () {
  var e = new Error('m');
  e.stack = 'Error: m';
  return util.inspect([e]);
});
check('error with cause', function () {
  var c = new Error('c');
  c.stack = 'Error: c';
  var e = new Error('m', { cause: c });
  e.stack = 'Error: m\n    at x';
  return util.inspect(e);
});
var formats = [['%s', 'a'], ['%s %s', 'a'], ['%s', 'a', 'b'], ['%d', '42'], ['%d', {}], ['%i', '42.9'], ['%f', '1.5x'], ['%j', { a: [1] }], ['%o', { a: 1 }], ['%O', { a: { b: { c: { d: 1 } } } }], ['%%', 1], ['%c styled', 'css'], ['100%', 'x'], [1, 2, 'a'], ['a', { b: 1 }, [1, 2]], ['%s', null, undefined], ['%s', Symbol('x')], ['%s', BigInt(5)], ['%s', -0], ['%s', { a: { b: 1 } }], ['%s', new Bar()], ['%s', [1, [2]]], ['%s', function f() {}], ['%d', BigInt(5)], ['%i', 'x'], ['%x', 1], [], [undefined], ['%s', new Date(0)], ['%d%%', 50], ['%s', 'é\n']];
formats.forEach(function (args, i) {
  check('format ' + i + ' ' + String(args[0]), function () {
    return util.format.apply(util, args);
  });
});
check('format of %s with an error', function () {
  return util.format('%s', Object.assign(new Error('e'), { stack: 'Error: e' })).split('\n')[0];
});
check('formatWithOptions', function () {
  return util.formatWithOptions({ depth: 0 }, 'x', { a: { b: 1 } });
});
check('inherits', function () {
  function A() {}
  A.prototype.hi = function () { return 'hi'; };
  function B() {}
  util.inherits(B, A);
  return [new B().hi(), B.super_ === A, new B() instanceof A];
});
check('inherits needs functions', function () {
  util.inherits(1, 2);
});
check('promisify needs a function', function () {
  util.promisify(null);
});
check('deprecate', function () {
  return util.deprecate(function (a) { return a + 1; }, 'old')(1);
});
var pairs = [[1, 1], [1, '1'], [NaN, NaN], [0, -0], [{ a: 1 }, { a: 1 }], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [{ a: 1 }, { a: 1, b: undefined }], [[1, 2], [1, 2]], [[1], { 0: 1, length: 1 }], [new Date(0), new Date(0)], [new Date(0), new Date(1)], [/a/g, /a/g], [/a/g, /a/i], [new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 1]])], [new Map([[1, 2]]), new Map([[1, 3]])], [new Set([{ a: 1 }]), new Set([{ a: 1 }])], [new Set([1]), new Set([2])], [new Error('a'), new Error('a')], [new Error('a'), new TypeError('a')], [new Foo(1), { x: 1 }], [new Foo(1), new Foo(1)], [Object(1), Object(1)], [new Uint8Array([1]), new Uint8Array([1])], [new Uint8Array([1]), new Uint8Array([2])], [null, undefined], [circular, circular], [[1, , 2], [1, undefined, 2]], ['a', Object('a')], [BigInt(1), BigInt(1)]];
pairs.forEach(function (pair, i) {
  check('isDeepStrictEqual ' + i, function () {
    return util.isDeepStrictEqual(pair[0], pair[1]);
  });
});
check('types', function () {
  var t = util.types;
  return [t.isDate(new Date()), t.isDate({}), t.isRegExp(/a/), t.isPromise(Promise.resolve()), t.isPromise({ then: 1 }), t.isMap(new Map()), t.isSet(new Set()), t.isNativeError(new TypeError()), t.isNativeError({}), t.isUint8Array(new Uint8Array(1)), t.isTypedArray(new Int8Array(1)), t.isTypedArray([]), t.isArrayBuffer(new ArrayBuffer(1)), t.isAnyArrayBuffer(new ArrayBuffer(1)), t.isDataView(new DataView(new ArrayBuffer(1))), t.isBoxedPrimitive(Object(1)), t.isBoxedPrimitive(1), t.isProxy(new Proxy({}, {})), t.isProxy({}), t.isWeakMap(new WeakMap()), t.isArgumentsObject((function () { return arguments; })()), t.isDate(null), t.isStringObject('a')];
});
check('isArray', function () {
  return [util.isArray([]), util.isArray({})];
});
check('stripVTControlCharacters', function () {
  return util.stripVTControlCharacters('\u001b[31mred\u001b[0m');
});
check('TextDecoder', function () {
  return [util.TextDecoder === TextDecoder, util.TextEncoder === TextEncoder];
});
check('old functions', function () {
  return ['isBoolean', 'isBuffer', 'isDate', 'isError', 'isFunction', 'isNull', 'isNullOrUndefined', 'isNumber', 'isObject', 'isPrimitive', 'isRegExp', 'isString', 'isSymbol', 'isUndefined'].map(function (name) {
    return [name].concat([true, Buffer.from(''), new Date(), new Error(), function () {}, null, undefined, 1, {}, /x/, 'x', Symbol.iterator].map(function (value) {
      return util[name](value);
    }));
  });
});
check('extend', function () {
  return [util._extend({ a: 1 }, { b: 2 }), util._extend({ a: 1 }, null)];
});
check('kinds of arrays', function () {
  return ['Uint8', 'Uint8Clamped', 'Uint16', 'Uint32', 'Int8', 'Int16', 'Int32', 'Float32', 'Float64'].map(function (name) {
    var made = new globalThis[name + 'Array'](1);
    return [util.types['is' + name + 'Array'](made), util.types.isInt8Array(made), util.types['is' + name + 'Array']([]), util.types['is' + name + 'Array'](null)];
  });
});
check('kinds of iterators', function () {
  return [util.types.isMapIterator(new Map().entries()), util.types.isSetIterator(new Set().values()), util.types.isMapIterator([][Symbol.iterator]()), util.types.isModuleNamespaceObject({})];
});
check('types as a module', function () {
  return [require('util/types') === util.types, require('node:util') === util];
});
check('log for debugging', function () {
  var log = util.debuglog('nothing');
  log('never seen');
  return [log.enabled, util.debug === util.debuglog];
});
check('symbols', function () {
  return [util.promisify.custom === Symbol.for('nodejs.util.promisify.custom'), util.inspect.custom === Symbol.for('nodejs.util.inspect.custom')];
});
module.exports = function () {
  return Promise.all([
    util.promisify(function (a, done) { done(null, a * 2); })(21),
    util.promisify(function (done) { done(new Error('no')); })().catch(function (e) { return e.message; }),
    new Promise(function (resolve) { util.callbackify(function (a) { return Promise.resolve(a); })(7, function (e, v) { resolve([e, v]); }); }),
    new Promise(function (resolve) { util.callbackify(function () { return Promise.reject(null); })(function (e) { resolve([e.message, e.code, e.reason]); }); })
  ]).then(function (settled) {
    results.promises = settled;
    return { body: results };
  });
};
