var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
check('values', function () { var d = new Date(5); var source = { a: [1, { b: 2 }], d: d, r: /x/g, m: new Map([['k', { v: 1 }]]), s: new Set([1]), n: null, u: undefined, bytes: new Uint8Array([1, 2]), big: String(BigInt(3)) }; var copy = structuredClone(source); return [JSON.stringify(copy), copy.d !== d, copy.d.getTime(), String(copy.r), copy.m.get('k'), copy.s.has(1), copy.a !== source.a, Array.from(copy.bytes), 'u' in copy]; });
check('cycles', function () { var o = {}; o.self = o; var c = structuredClone(o); return [c.self === c, c !== o]; });
check('functions', function () { try { structuredClone({ f: function () {} }); } catch (e) { return [e.name, e.code, e instanceof DOMException, e instanceof Error]; } });
check('symbols', function () { try { structuredClone(Symbol('x')); } catch (e) { return [e.name, e.message]; } });
check('errors', function () { var e = structuredClone(new RangeError('m')); return [e instanceof RangeError, e.message, e.name]; });
check('classes', function () { function A() { this.x = 1; } A.prototype.y = 2; var c = structuredClone(new A()); return [c.x, c.y === undefined, Object.getPrototypeOf(c) === Object.prototype]; });
check('nothing', function () { try { structuredClone(); } catch (e) { return e.name; } });
module.exports = function () {
  return { body: results };
};
