var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var path = require('path');
[
  ['join', '/a', '..', 'b', './c'], ['join'], ['join', '', ''], ['join', 'a', '', '/b/'], ['resolve', '/a/b', '../c', './d'], ['resolve', '/'], ['resolve', '/a', '/b'],
  ['normalize', '/a/./b/../../c/'], ['normalize', ''], ['normalize', 'a//b'], ['normalize', '../../a'], ['isAbsolute', '/a'], ['isAbsolute', 'a'],
  ['relative', '/a/b/c', '/a/d'], ['relative', '/a', '/a'], ['dirname', '/a/b/c.txt'], ['dirname', '/a'], ['dirname', 'a'], ['dirname', ''],
  ['basename', '/a/b.txt'], ['basename', '/a/b.txt', '.txt'], ['basename', '/a/b/'], ['extname', 'a.b.c'], ['extname', '.a'], ['extname', 'a.'], ['extname', 'a'],
  ['parse', '/home/user/file.txt'], ['parse', './a/b'], ['parse', ''], ['parse', '/'], ['format', { dir: '/a', base: 'b.c' }], ['format', { root: '/', name: 'f', ext: '.t' }]
].forEach(function (call) {
  check(JSON.stringify(call), function () {
    return path[call[0]].apply(path, call.slice(1));
  });
});
check('module', function () {
  return [path.sep, path.delimiter, path.posix === path, require('path/posix') === path, require('node:path') === path];
});
check('decoder of UTF-8', function () {
  var decoder = new (require('string_decoder').StringDecoder)('utf8');
  var bytes = Buffer.from('a€😀ü');
  var parts = [];
  for (var i = 0; i < bytes.length; i++) {
    parts.push(decoder.write(bytes.slice(i, i + 1)));
  }
  return [parts, decoder.end(), decoder.encoding];
});
check('decoder with rest', function () {
  var decoder = new (require('string_decoder').StringDecoder)();
  return [decoder.write(Buffer.from([0xe2, 0x82])), decoder.end(), decoder.end(Buffer.from('x')), decoder.write(Buffer.from([0xff, 0x41]))];
});
check('decoders of other encodings', function () {
  return ['utf16le', 'base64', 'hex', 'latin1', 'ascii'].map(function (encoding) {
    var decoder = new (require('string_decoder').StringDecoder)(encoding);
    return [[0x61, 0x00], [0x3d, 0xd8], [0x4d, 0xdc]].map(function (bytes, index) {
      return escape(index === 2 ? decoder.end(Buffer.from(bytes)) : decoder.write(Buffer.from(bytes)));
    });
  });
});
check('decoder of an unknown encoding', function () {
  return new (require('string_decoder').StringDecoder)('x');
});
check('decoder of no bytes', function () {
  return new (require('string_decoder').StringDecoder)().write(5);
});
check('punycode', function () {
  var punycode = require('punycode');
  return [punycode.toASCII('mañana.com'), punycode.toUnicode('xn--maana-pta.com'), punycode.encode('日本'), punycode.decode('maana-pta'),
    punycode.ucs2.decode('a😀'), punycode.ucs2.encode([97, 128512])];
});
check('constants of os', function () {
  var os = require('os');
  return [JSON.stringify(os.EOL), os.platform(), os.type(), os.endianness(), os.constants.signals.SIGTERM, os.constants.errno.ENOENT, os.devNull];
});
check('names of http', function () {
  var http = require('http');
  var https = require('https');
  var agent = new https.Agent({ keepAlive: true, maxSockets: 5 });
  return [http.STATUS_CODES, http.METHODS.indexOf('POST') >= 0, agent.maxSockets, agent.keepAlive, agent.defaultPort, agent.protocol,
    http.globalAgent instanceof http.Agent, agent instanceof require('events'), typeof http.request, typeof https.get, typeof http.IncomingMessage];
});
check('extension of a class of http', function () {
  function Message() {}
  require('util').inherits(Message, require('http').IncomingMessage);
  return new Message() instanceof require('http').IncomingMessage;
});
check('channel of diagnostics', function () {
  var diagnostics = require('diagnostics_channel');
  var seen = [];
  function listener(message, name) { seen.push([message, name]); }
  var channel = diagnostics.channel('x');
  channel.publish('unheard');
  channel.subscribe(listener);
  channel.publish('heard');
  return [channel === diagnostics.channel('x'), diagnostics.hasSubscribers('x'), channel.unsubscribe(listener), channel.unsubscribe(listener), channel.hasSubscribers,
    diagnostics.hasSubscribers('y'), channel.name, channel instanceof diagnostics.Channel, seen];
});
check('traced call', function () {
  var tracing = require('diagnostics_channel').tracingChannel('t');
  var seen = [];
  tracing.subscribe({ start: function (c) { seen.push('start ' + c.n); }, end: function (c) { seen.push('end ' + c.result); }, error: function (c) { seen.push(c.error.message); } });
  var result = tracing.traceSync(function (a) { return this.b + a; }, { n: 1 }, { b: 2 }, 3);
  try {
    tracing.traceSync(function () { throw new Error('no'); }, { n: 2 });
  } catch (e) {
    seen.push('thrown ' + e.message);
  }
  return [result, seen];
});
check('terminal', function () {
  return require('tty').isatty(99);
});
check('weak references', function () {
  var key = {};
  var registry = new FinalizationRegistry(function () {});
  var reference = new WeakRef(key);
  return [reference.deref() === key, registry.register(key, 1, key), registry.unregister(key), registry.unregister(key), String(reference), String(registry), typeof WeakRef.prototype.deref,
    [() => WeakRef(key), () => new WeakRef(1), () => new FinalizationRegistry(), () => registry.register(1), () => registry.register(key, key), () => registry.unregister(1)].map(run => { try { return run(); } catch (e) { return e.name; } })];
});
module.exports = function () {
  return { body: results };
};
