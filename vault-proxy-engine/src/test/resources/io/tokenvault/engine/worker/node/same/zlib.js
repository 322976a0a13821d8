var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var zlib = require('zlib');
var text = 'The quick brown fox jumps over the lazy dog. '.repeat(200) + 'äöü€😀';
var PAIRS = [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'], ['deflate', 'unzip']];
PAIRS.forEach(function (pair) {
  [text, '', 'a', Buffer.from([0, 1, 2, 255]), new Uint16Array([1, 2, 3]), Buffer.alloc(200000, 'ab')].forEach(function (data, index) {
    check(pair + ' ' + index, function () {
      var packed = zlib[pair[0] + 'Sync'](data);
      return [Buffer.isBuffer(packed), zlib[pair[1] + 'Sync'](packed).toString('latin1') === Buffer.from(data.buffer ? data.buffer : data, data.byteOffset, data.byteLength).toString('latin1'),
        packed.length < 300];
    });
  });
});
[-1, 0, 1, 6, 9].forEach(function (level) {
  check('level ' + level, function () {
    var packed = zlib.gzipSync(text, { level: level });
    return [packed.slice(0, 10).toString('hex'), packed.slice(-8).toString('hex'), zlib.gunzipSync(packed).toString() === text, packed.length > text.length];
  });
});
[0, 1, 2, 3, 4].forEach(function (strategy) {
  check('strategy ' + strategy, function () {
    return zlib.inflateSync(zlib.deflateSync(text, { strategy: strategy })).toString() === text;
  });
});
function failing(name, run) {
  check(name, function () {
    try {
      return run().toString();
    } catch (e) {
      return [e.name, e.code, e.message, e.errno === undefined ? null : e.errno];
    }
  });
}
var packed = zlib.gzipSync('hello');
var KNOWN = {
  gzip: '1f8b0800000000000003cb48cdc9c9070086a6103605000000',
  zlib: '789ccb48cdc9c907000 62c0215'.replace(' ', ''),
  raw: 'cb48cdc9c90700',
  name: '1f8b080800000000000366696c652e74787400cb48cdc9c9070086a6103605000000'
};
function known(name) {
  return Buffer.from(KNOWN[name], 'hex');
}
failing('known gzip', function () { return zlib.gunzipSync(known('gzip')); });
failing('known zlib', function () { return zlib.inflateSync(known('zlib')); });
failing('known raw', function () { return zlib.inflateRawSync(known('raw')); });
failing('with a name', function () { return zlib.gunzipSync(known('name')); });
failing('two members', function () { return zlib.gunzipSync(Buffer.concat([packed, packed])); });
failing('zeros after the end', function () { return zlib.gunzipSync(Buffer.concat([packed, Buffer.alloc(10)])); });
failing('rest after the end', function () { return zlib.gunzipSync(Buffer.concat([packed, Buffer.from('garbage that is none')])); });
failing('rest like a member', function () { return zlib.gunzipSync(Buffer.concat([packed, Buffer.from([0x1f, 0x8b, 0xff, 0xff]), Buffer.alloc(10)])); });
failing('rest after zlib', function () { return zlib.inflateSync(Buffer.concat([known('zlib'), Buffer.from('xyz')])); });
failing('rest after raw', function () { return zlib.inflateRawSync(Buffer.concat([known('raw'), Buffer.from('xyz')])); });
failing('empty', function () { return zlib.gunzipSync(Buffer.alloc(0)); });
failing('empty zlib', function () { return zlib.inflateSync(''); });
failing('empty unzip', function () { return zlib.unzipSync(''); });
failing('cut', function () { return zlib.gunzipSync(known('gzip').slice(0, 15)); });
failing('cut in the trailer', function () { return zlib.gunzipSync(known('gzip').slice(0, 22)); });
failing('cut in the header', function () { return zlib.gunzipSync(known('gzip').slice(0, 5)); });
failing('cut zlib', function () { return zlib.inflateSync(known('zlib').slice(0, 8)); });
failing('as far as it goes', function () { return zlib.gunzipSync(zlib.gzipSync(text, { level: 0 }).slice(0, 40), { finishFlush: zlib.constants.Z_SYNC_FLUSH }); });
failing('no gzip', function () { return zlib.gunzipSync('no gzip at all'); });
failing('no zlib', function () { return zlib.inflateSync(Buffer.from('no zlib at all')); });
failing('no raw', function () { return zlib.inflateRawSync(Buffer.from([0xff, 0xff, 0xff])); });
failing('wrong method', function () { var b = known('gzip'); b[2] = 7; return zlib.gunzipSync(b); });
failing('wrong flags', function () { var b = known('gzip'); b[3] = 0xe0; return zlib.gunzipSync(b); });
failing('wrong checksum', function () { var b = known('gzip'); b[18] ^= 1; return zlib.gunzipSync(b); });
failing('wrong length', function () { var b = known('gzip'); b[21] ^= 1; return zlib.gunzipSync(b); });
failing('wrong checksum of zlib', function () { var b = known('zlib'); b[b.length - 1] ^= 1; return zlib.inflateSync(b); });
failing('dictionary', function () { return zlib.inflateSync(zlib.deflateSync('hello world', { dictionary: Buffer.from('hello') }), { dictionary: Buffer.from('hello') }); });
failing('dictionary of raw', function () { return zlib.inflateRawSync(zlib.deflateRawSync('hello world', { dictionary: Buffer.from('hello') }), { dictionary: Buffer.from('hello') }); });
failing('missing dictionary', function () { return zlib.inflateSync(zlib.deflateSync('hello world', { dictionary: Buffer.from('hello') })); });
failing('wrong dictionary', function () { return zlib.inflateSync(zlib.deflateSync('hello world', { dictionary: Buffer.from('hello') }), { dictionary: Buffer.from('other') }); });
failing('limit', function () { return zlib.gunzipSync(zlib.gzipSync(text), { maxOutputLength: 100 }); });
failing('limit that is kept', function () { return zlib.gunzipSync(packed, { maxOutputLength: 5 }); });
failing('no data', function () { return zlib.gzipSync(5); });
failing('undefined', function () { return zlib.gunzipSync(); });
failing('no level', function () { return zlib.gzipSync('a', { level: 'high' }); });
failing('level out of range', function () { return zlib.gzipSync('a', { level: 10 }); });
failing('strategy out of range', function () { return zlib.gzipSync('a', { strategy: -1 }); });
failing('chunk out of range', function () { return zlib.gzipSync('a', { chunkSize: 1 }); });
failing('window out of range', function () { return zlib.gzipSync('a', { windowBits: 7 }); });
failing('no callback', function () { return zlib.gzip('a'); });
check('constants', function () {
  var c = zlib.constants;
  return [c.Z_BEST_COMPRESSION, c.Z_SYNC_FLUSH, c.Z_DEFAULT_CHUNK, c.UNZIP, zlib.codes.Z_DATA_ERROR, zlib.codes[-3]];
});
check('checksum', function () {
  return zlib.crc32 ? [zlib.crc32('hello'), zlib.crc32(''), zlib.crc32('lo', zlib.crc32('hel')), zlib.crc32(Buffer.from([255]))] : 'none';
});
module.exports = function () {
  var promisify = require('util').promisify;
  function streamed(stream, parts) {
    return new Promise(function (resolve) {
      var chunks = [];
      stream.on('data', function (chunk) { chunks.push(chunk); });
      stream.on('end', function () { resolve(Buffer.concat(chunks)); });
      stream.on('error', function (e) { resolve([e.code, e.message, e.errno]); });
      parts.forEach(function (part) { stream.write(part); });
      stream.end();
    });
  }
  return Promise.all(PAIRS.map(function (pair) {
    return promisify(zlib[pair[0]])(text).then(function (data) {
      return promisify(zlib[pair[1]])(data, {});
    }).then(function (data) {
      return data.toString() === text;
    });
  }).concat([
    promisify(zlib.gunzip)('x').catch(function (e) { return [e.code, e.message, e.errno]; }),
    streamed(zlib.createGzip(), ['a', Buffer.from('b'), text]).then(zlib.gunzipSync).then(String).then(function (s) { return s === 'ab' + text; }),
    streamed(zlib.createGunzip(), [packed.slice(0, 3), packed.slice(3)]).then(String),
    streamed(zlib.createInflate(), ['nothing']),
    streamed(new zlib.DeflateRaw({ level: 1 }), [text]).then(zlib.inflateRawSync).then(function (b) { return b.toString() === text; }),
    zlib.createUnzip() instanceof zlib.Unzip && zlib.createUnzip() instanceof require('stream').Transform
  ])).then(function (all) {
    results.later = all;
    return { body: results };
  });
};
