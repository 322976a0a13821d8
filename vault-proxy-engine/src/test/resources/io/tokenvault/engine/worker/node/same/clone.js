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
check('transfer', function () { var b = new ArrayBuffer(4); var u = new Uint8Array(b); u[1] = 7; var c = structuredClone({ u: u, b: b }, { transfer: [b] }); return [b.byteLength, u.length, u.byteOffset, typeof u[1], JSON.stringify(u), c.b.byteLength, c.u[1], c.u.buffer === c.b]; });
check('transfer of what is not copied', function () { var b = new ArrayBuffer(4); return [structuredClone(1, { transfer: new Set([b]) }), b.byteLength, structuredClone(1, { transfer: [b] })]; });
check('detached', function () { var b = new ArrayBuffer(4); structuredClone(b, { transfer: [b] }); return structuredClone([b]); });
check('transfer and failure', function () { var b = new ArrayBuffer(4); try { structuredClone(function () {}, { transfer: [b] }); } catch (e) { return b.byteLength; } });
[{}, 1, [1], [{}], ['a'], 'ab', null].forEach(function (list) { check('transfer of ' + JSON.stringify(list), function () { return structuredClone(5, { transfer: list }); }); });
check('Blob', function () { var copy = structuredClone({ b: new Blob(['abc'], { type: 'a/b' }), f: new File(['de'], 'x.txt', { type: 'c/d' }) }); return [copy.b instanceof Blob, copy.b.size, copy.b.type, copy.f instanceof Blob, copy.f instanceof File, copy.f.size, copy.f.type]; });
check('transfer twice', function () { var b = new ArrayBuffer(4); return structuredClone(5, { transfer: [b, b] }); });
[null, 5, [], {}].forEach(function (options) { check('options ' + JSON.stringify(options), function () { return structuredClone(5, options); }); });
check('Buffer', function () { var b = Buffer.alloc(9000, 'ab'); var c = structuredClone(b, { transfer: [b.buffer] }); return [b.length, b.toString(), c.length]; });
module.exports = function () {
  return { body: results };
};
