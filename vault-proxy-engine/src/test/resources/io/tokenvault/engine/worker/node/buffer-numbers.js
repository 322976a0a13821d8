const bytes = Buffer.from([0x01, 0x82, 0xf3, 0x04, 0x95, 0xa6, 0x77, 0xe8, 0x19, 0xff]);
const fixed = ['Int8', 'UInt8', 'Uint8', 'Int16LE', 'Int16BE', 'UInt16LE', 'UInt16BE', 'Uint16LE', 'Uint16BE', 'Int32LE', 'Int32BE', 'UInt32LE', 'UInt32BE', 'Uint32LE', 'Uint32BE', 'FloatLE', 'FloatBE', 'DoubleLE', 'DoubleBE', 'BigInt64LE', 'BigInt64BE', 'BigUInt64LE', 'BigUInt64BE', 'BigUint64LE', 'BigUint64BE'];
fixed.forEach(function (n) {
  check('read' + n, () => [0, 1, 2].map(o => bytes['read' + n](o)));
  check('read' + n + '()', () => bytes['read' + n]());
  check('read' + n + ' far', () => bytes['read' + n](10));
  check('read' + n + ' negative', () => bytes['read' + n](-1));
  check('read' + n + ' short', () => Buffer.alloc(0)['read' + n]());
  check('read' + n + ' text', () => bytes['read' + n]('0'));
  check('read' + n + ' fraction', () => bytes['read' + n](0.5));
  check('read' + n + ' null', () => bytes['read' + n](null));
  [0, 1, -1, 127, -128, 255, 256, 32767, -32768, 32768, 65535, 65536, 2147483647, 2147483648, -2147483648, 4294967295, 4294967296, 1.5, -1.5, NaN, Infinity, -Infinity, -0, 1e308, '7', 'x', null, undefined, true].forEach(function (v) {
    if (/Big/.test(n)) return;
    check('write' + n + ' ' + (Object.is(v, -0) ? '-0' : typeof v + v), () => { const b = Buffer.alloc(8); return [b['write' + n](v), b]; });
  });
  if (/Big/.test(n)) {
    [0n, 1n, -1n, 255n, 2n ** 63n - 1n, 2n ** 63n, -(2n ** 63n), -(2n ** 63n) - 1n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 32n].forEach(function (v) {
      check('write' + n + ' ' + v, () => { const b = Buffer.alloc(8); return [b['write' + n](v), b]; });
    });
    check('write' + n + ' number', () => Buffer.alloc(8)['write' + n](5));
    check('write' + n + ' text', () => Buffer.alloc(8)['write' + n]('5'));
  }
  const one = /Big/.test(n) ? 1n : 1;
  check('write' + n + ' at', () => { const b = Buffer.alloc(9); return [b['write' + n](one, 1), b]; });
  check('write' + n + ' far', () => Buffer.alloc(8)['write' + n](one, 8));
  check('write' + n + ' short', () => Buffer.alloc(0)['write' + n](one));
  check('write' + n + ' text offset', () => Buffer.alloc(8)['write' + n](one, '1'));
});
['IntLE', 'IntBE', 'UIntLE', 'UIntBE', 'UintLE', 'UintBE'].forEach(function (n) {
  [1, 2, 3, 4, 5, 6].forEach(function (size) {
    check('read' + n + size, () => [0, 1, 2, 4].map(o => bytes['read' + n](o, size)));
    const bits = size * 8;
    [0, 1, -1, 2 ** (bits - 1) - 1, 2 ** (bits - 1), -(2 ** (bits - 1)), -(2 ** (bits - 1)) - 1, 2 ** bits - 1, 2 ** bits].forEach(function (v, i) {
      check('write' + n + size + ' ' + i, () => { const b = Buffer.alloc(7); return [b['write' + n](v, 1, size), b]; });
    });
    check('read' + n + size + ' far', () => bytes['read' + n](9, 6));
  });
  [0, 7, -1, 1.5, '1', undefined, null, NaN].forEach(function (size) {
    check('read' + n + ' size ' + typeof size + size, () => bytes['read' + n](0, size));
    check('write' + n + ' size ' + typeof size + size, () => Buffer.alloc(8)['write' + n](1, 0, size));
  });
  check('read' + n + '()', () => bytes['read' + n]());
  check('read' + n + ' text', () => bytes['read' + n]('0', 2));
  check('write' + n + '()', () => Buffer.alloc(8)['write' + n](1));
});
check('far numbers', () => bytes.readInt8(99999999999));
check('exact floats', () => { const b = Buffer.alloc(12); b.writeDoubleBE(0.1); b.writeFloatLE(0.1, 8); return [b.readDoubleBE(), b.readFloatLE(8), b]; });
