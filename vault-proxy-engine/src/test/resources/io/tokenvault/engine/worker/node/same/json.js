// JSON.stringify of all kinds of values, and the methods that it calls.
module.exports = function () {
  var calls = [];
  function text(value) {
    try { return String(JSON.stringify(value)); } catch (e) { return e.name; }
  }
  function Own() { this.a = 1; }
  Own.prototype.inherited = 2;
  var sparse = [1, , 3];
  sparse.extra = true;
  var cycle = { list: [] };
  cycle.list.push({ cycle: cycle });
  var twice = { x: 1 };
  var hidden = Object.create({ up: 1 }, {
    shown: { value: 1, enumerable: true }, hidden: { value: 2 }
  });
  var getters = {
    get a() { calls.push('a'); delete this.gone; this.late = 1; return 1; },
    gone: 2,
    get b() { calls.push('b'); return undefined; }
  };
  var symbol = { s: Symbol('s') };
  symbol[Symbol('key')] = 1;
  var boxed = [Object(1), Object('t'), Object(false), Object(Symbol('o'))];
  boxed[0].valueOf = function () { return 7; };
  boxed[1].toString = function () { return 'own'; };
  var proxy = new Proxy({ a: 1, b: [2] }, {
    get: function (target, key) { calls.push('get ' + String(key)); return target[key]; }
  });
  var deep = 0;
  for (var i = 0; i < 100; i++) { deep = i % 2 ? [deep] : { d: deep }; }
  var made = [
    JSON.stringify([1, , { a: [, 2] }], function (key, value) { return value === undefined ? 'hole ' + key : value; }),
    JSON.stringify([1, , 3], null, 1),
    text(undefined), text(null), text(true), text(function () {}), text(Symbol('x')),
    text([undefined, function () {}, Symbol('y'), null, NaN, -0, 1 / 0]),
    text({ u: undefined, f: function () {}, n: null, nan: NaN }),
    text([0, 1, -1, 1.5, 1e21, 1e-7, 123456789012, 4294967296, -2147483648, 0.1 + 0.2]),
    text('q"b\\s/\b\f\n\r\t\u0000\u001f\u007f\u2028é\ud83d\ude00'),
    text('\ud800 \udc00\ud800 \ude00'), text('\ud83d'), text({ '\ud83d"': 1 }),
    text(sparse), text(cycle), text([twice, twice]), text(new Own()), text(hidden), text(getters),
    text(symbol), text(boxed), text(proxy), text(deep),
    text({ 2: 'b', 1: 'a', z: 1, '-1': 2, 4294967296: 3, '': 4 }),
    text(new Date(0)), text(new Date(NaN)), text(/r/g), text(new Map([[1, 2]])), text(new Set([1])),
    text(new Error('m')), text(new Uint8Array([1, 2])), text(Object(BigInt(1))), text(BigInt(1)),
    text([BigInt(2)]),
    text({ toJSON: function (key) { calls.push(typeof key + key); return { k: key }; } }),
    text({ in: { toJSON: function (key) { return key; } } }),
    text([{ toJSON: function (key) { return typeof key + key; } }]),
    text({ toJSON: function () { return undefined; } }), text({ toJSON: 1 }),
    text({ toJSON: function () { throw new RangeError('x'); } }),
    text({ get a() { throw new RangeError('x'); } }),
    text(JSON.parse('{"__proto__":{"a":1},"constructor":2}')), text(Object.create(null)),
    text((function () { return arguments; })(1, 2)), text(globalThis.Math), text([[], {}, [[]], '']),
    JSON.stringify({ a: [1, { b: 2 }] }, null, 2), JSON.stringify({ a: 1, b: 2 }, ['b']),
    JSON.stringify({ a: 1 }, function (key, value) { return key ? value + 1 : value; }),
    JSON.stringify({ a: 1 }, undefined, undefined), JSON.stringify({ a: [1] }, null, '-'),
    JSON.stringify.name, JSON.stringify.length
  ];
  BigInt.prototype.toJSON = function () { return 'big ' + this; };
  made.push(text([BigInt(3), { b: BigInt(4) }]));
  Object.prototype.toJSON = function () { return 'every'; };
  made.push(text({}), text([1]), text('s'));
  delete Object.prototype.toJSON;
  return { body: [made, calls] };
};
