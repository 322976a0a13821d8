var web = require('stream/web');
var consumers = require('stream/consumers');
var stream = require('stream');
var util = require('util');
var results = {};
function check(name, run) {
  return Promise.resolve().then(run).then(function (value) {
    results[name] = value === undefined ? 'undefined' : value;
  }, function (e) {
    results[name] = 'rejects ' + (e && e.name) + (e && e.code ? ' ' + e.code : '');
  });
}
function from(chunks) {
  return new ReadableStream({ start: function (controller) { chunks.forEach(function (chunk) { controller.enqueue(chunk); }); controller.close(); } });
}
function chunksOf(readable) {
  var reader = readable.getReader();
  var read = [];
  return reader.read().then(function next(result) {
    if (result.done) {
      return read;
    }
    read.push(typeof result.value === 'string' || typeof result.value === 'number' ? result.value : Buffer.from(result.value).toString());
    return reader.read().then(next);
  });
}
function upper() {
  return new TransformStream({ transform: function (chunk, controller) { controller.enqueue(chunk.toUpperCase()); }, flush: function (controller) { controller.enqueue('.'); } });
}
function sink(seen, strategy) {
  return new WritableStream({
    write: function (chunk) { seen.push(chunk); },
    close: function () { seen.push('closed'); },
    abort: function (reason) { seen.push('aborted ' + reason); }
  }, strategy);
}
module.exports = function () {
  return Promise.all([
    check('names', function () {
      return Object.keys(web).sort().map(function (name) {
        var described = Object.getOwnPropertyDescriptor(globalThis, name);
        return [name, globalThis[name] === web[name], web[name].name, typeof web[name], described.enumerable, described.configurable];
      });
    }),
    check('modules', function () { return [require('node:stream/web') === web, require('node:stream/consumers') === consumers, Object.keys(consumers).sort()]; }),
    check('chunks', function () { return chunksOf(from(['a', 'b'])); }),
    check('lock', function () {
      var readable = from(['a']);
      var reader = readable.getReader();
      var seen = [readable.locked, reader instanceof web.ReadableStreamDefaultReader];
      try { readable.getReader(); } catch (e) { seen.push(e.name); }
      reader.releaseLock();
      return seen.concat(readable.locked);
    }),
    check('iteration', function () {
      var iterator = from(['a', 'b'])[Symbol.asyncIterator]();
      return iterator.next().then(function (first) { return iterator.return('end').then(function (last) { return [first.value, first.done, last.value, last.done]; }); });
    }),
    check('values without cancel', function () {
      var readable = from(['a', 'b']);
      var iterator = readable.values({ preventCancel: true });
      return iterator.next().then(function () { return iterator.return(); }).then(function () { return chunksOf(readable); });
    }),
    check('stream of a list', function () { return chunksOf(ReadableStream.from([Promise.resolve('a'), 'b'])); }),
    check('pull', function () {
      var count = 0;
      return chunksOf(new ReadableStream({ pull: function (controller) { count++; if (count > 3) { controller.close(); } else { controller.enqueue(count + ':' + controller.desiredSize); } } }));
    }),
    check('sizes', function () {
      var sizes = [];
      var readable = new ReadableStream({ start: function (controller) { controller.enqueue(new Uint8Array(3)); sizes.push(controller.desiredSize); } }, new ByteLengthQueuingStrategy({ highWaterMark: 10 }));
      new ReadableStream({ start: function (controller) { controller.enqueue('x'); sizes.push(controller.desiredSize); } }, new CountQueuingStrategy({ highWaterMark: 4 }));
      return sizes.concat(readable.locked);
    }),
    check('canceled', function () {
      var reasons = [];
      var readable = new ReadableStream({ cancel: function (reason) { reasons.push(reason); } });
      return readable.cancel('why').then(function (value) { return reasons.concat(value === undefined); });
    }),
    check('error', function () { return chunksOf(new ReadableStream({ start: function (controller) { controller.error(new RangeError('x')); } })); }),
    check('tee', function () {
      var branches = from(['a', 'b']).tee();
      return Promise.all([chunksOf(branches[0]), chunksOf(branches[1])]);
    }),
    check('pipeThrough', function () { return chunksOf(from(['a', 'b']).pipeThrough(upper())); }),
    check('pipeTo', function () {
      var seen = [];
      return from(['a', 'b']).pipeTo(sink(seen)).then(function () { return seen; });
    }),
    check('pipeTo with a signal', function () {
      var seen = [];
      var control = new AbortController();
      control.abort('stop');
      return from(['a']).pipeTo(sink(seen), { signal: control.signal }).catch(function (e) { return [e, seen]; });
    }),
    check('writer', function () {
      var seen = [];
      var writable = sink(seen, { highWaterMark: 2 });
      var writer = writable.getWriter();
      seen.push(writer.desiredSize);
      return writer.ready.then(function () { return writer.write('a'); }).then(function () { return writer.close(); }).then(function () { return writer.closed; }).then(function () { return seen; });
    }),
    check('abort', function () {
      var seen = [];
      return sink(seen).abort('why').then(function () { return seen; });
    }),
    check('bytes', function () {
      var readable = new ReadableStream({ type: 'bytes', start: function (controller) { controller.enqueue(new Uint8Array([1, 2, 3, 4, 5])); } });
      var reader = readable.getReader({ mode: 'byob' });
      return reader.read(new Uint8Array(3)).then(function (first) { return [Array.from(first.value), first.done]; });
    }),
    check('bytes on request', function () {
      var readable = new ReadableStream({ type: 'bytes', pull: function (controller) { controller.byobRequest.view[0] = 7; controller.byobRequest.respond(1); } });
      return readable.getReader({ mode: 'byob' }).read(new Uint8Array(2)).then(function (first) { return [Array.from(first.value), first.value.buffer.byteLength]; });
    }),
    check('wrong arguments', function () {
      return [
        function () { new ReadableStream(5); }, function () { new ReadableStream({ type: 'x' }); }, function () { new ReadableStreamDefaultReader({}); },
        function () { new ReadableStreamDefaultController(); }, function () { new CountQueuingStrategy(); },
        function () { new TransformStream({ readableType: 'bytes' }); }, function () { new WritableStream({ type: 'x' }); }, function () { new CompressionStream('x'); }
      ].map(function (run) { try { run(); return 'none'; } catch (e) { return e.name; } });
    }),
    check('encoder', function () { return chunksOf(from(['h', '\ud83d', '\ude00', 'ä', '\ud800']).pipeThrough(new TextEncoderStream())); }),
    check('decoder', function () {
      var bytes = new TextEncoder().encode('€ä');
      var decoder = new TextDecoderStream();
      return chunksOf(from([bytes.subarray(0, 2), bytes.subarray(2)]).pipeThrough(decoder)).then(function (read) { return [read, decoder.encoding, decoder.fatal, decoder.ignoreBOM]; });
    }),
    check('broken text', function () { return chunksOf(from([new Uint8Array([255])]).pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))).catch(function (e) { return e.name; }); }),
    check('compression', function () {
      return Promise.all(['gzip', 'deflate'].map(function (format) {
        return chunksOf(from([Buffer.from('hello '), Buffer.from('world')]).pipeThrough(new CompressionStream(format)).pipeThrough(new DecompressionStream(format))).then(function (read) { return read.join(''); });
      }));
    }),
    check('consumers', function () {
      var bytes = function () { return from([Buffer.from('{"a":'), Buffer.from('"ä"}')]); };
      return Promise.all([consumers.text(bytes()), consumers.json(bytes()), consumers.buffer(bytes()).then(String), consumers.arrayBuffer(bytes()).then(function (b) { return [b instanceof ArrayBuffer, b.byteLength]; }),
        consumers.blob(bytes()).then(function (b) { return [b instanceof Blob, b.size]; }), consumers.text(stream.Readable.from(['a', 'b']))]);
    }),
    check('from the web', function () {
      var read = [];
      return new Promise(function (resolve, reject) {
        stream.Readable.fromWeb(from([Buffer.from('a'), Buffer.from('b')])).on('data', function (chunk) { read.push(Buffer.isBuffer(chunk), String(chunk)); }).on('end', function () { resolve(read); }).on('error', reject);
      });
    }),
    check('error from the web', function () {
      return new Promise(function (resolve) {
        stream.Readable.fromWeb(new ReadableStream({ pull: function (c) { c.error(new RangeError('x')); } })).on('error', function (e) { resolve([e.name, e.message]); }).resume();
      });
    }),
    check('to the web', function () { return chunksOf(stream.Readable.toWeb(stream.Readable.from([Buffer.from('a'), Buffer.from('b')]))); }),
    check('bytes to the web', function () { return consumers.text(stream.Readable.toWeb(stream.Readable.from([Buffer.from('a'), Buffer.from('b')], { objectMode: false }))); }),
    check('error to the web', function () {
      var readable = new stream.Readable({ read: function () { this.destroy(new RangeError('x')); } });
      return chunksOf(stream.Readable.toWeb(readable)).catch(function (e) { return [e.name, e.message]; });
    }),
    check('writable from the web', function () {
      var seen = [];
      return new Promise(function (resolve, reject) {
        var writable = stream.Writable.fromWeb(sink(seen), { decodeStrings: false });
        writable.write('a');
        writable.end('b', function () { resolve(seen); });
        writable.on('error', reject);
      });
    }),
    check('writable to the web', function () {
      var seen = [];
      var writable = new stream.Writable({ write: function (chunk, encoding, done) { seen.push(String(chunk)); done(); }, final: function (done) { seen.push('final'); done(); } });
      return from([Buffer.from('a'), Buffer.from('b')]).pipeTo(stream.Writable.toWeb(writable)).then(function () { return seen; });
    }),
    check('duplex from the web', function () {
      var read = [];
      return new Promise(function (resolve, reject) {
        var duplex = stream.Duplex.fromWeb(upper(), { encoding: 'utf8', decodeStrings: false });
        duplex.on('data', function (chunk) { read.push(chunk); }).on('end', function () { resolve(read); }).on('error', reject);
        duplex.end('a');
      });
    }),
    check('duplex to the web', function () {
      var pair = stream.Duplex.toWeb(new stream.PassThrough());
      return Promise.all([from([Buffer.from('a')]).pipeTo(pair.writable), consumers.text(pair.readable)]).then(function (done) { return done[1]; });
    }),
    check('pipeline', function () {
      var seen = [];
      return stream.promises.pipeline(from([Buffer.from('a')]), new stream.Writable({ write: function (chunk, encoding, done) { seen.push(String(chunk)); done(); } })).then(function () { return seen; });
    }),
    check('states', function () {
      var read = from(['a']);
      var before = stream.isDisturbed(read);
      return chunksOf(read).then(function () { return [before, stream.isDisturbed(read), stream.isErrored(read), stream.isReadable(read), stream.isReadable(from(['a']))]; });
    }),
    check('inspection', function () { return [util.inspect(new ReadableStream()), util.inspect(new WritableStream()), Object.prototype.toString.call(new TransformStream())]; }),
    check('blob', function () {
      var blob = new Blob(['a', 'ä']);
      return Promise.all([consumers.text(blob.stream()), blob.stream() instanceof ReadableStream, new Response(blob.stream()).text()]);
    }),
    check('body is a stream', function () {
      var response = new Response('a');
      return [response.body instanceof ReadableStream, response.body === response.body, new Response().body];
    }),
    check('body through streams', function () { return chunksOf(new Response('abc').body.pipeThrough(new TextDecoderStream()).pipeThrough(upper())); }),
    check('tee of a body', function () {
      var response = new Response('abc');
      var branches = response.body.tee();
      return Promise.all([consumers.text(branches[0]), consumers.text(branches[1]), response.bodyUsed]);
    }),
    check('body of a stream', function () {
      var response = new Response(from([Buffer.from('a'), Buffer.from('b')]), { headers: { a: 'b' } });
      return response.text().then(function (text) { return [text, response.bodyUsed, response.headers.get('content-type')]; });
    }),
    check('texts as a body', function () { return new Response(from(['a'])).text(); }),
    check('iterable as a body', function () { return new Response(stream.Readable.from([Buffer.from('a'), Buffer.from('b')])).text(); }),
    check('clone of a stream', function () {
      var response = new Response(from([Buffer.from('a')]));
      return Promise.all([response.clone().text(), response.text()]);
    }),
    check('clones do not share bytes', function () {
      var response = new Response('ab');
      var copy = response.clone();
      return Promise.all([response.arrayBuffer(), copy.arrayBuffer()]).then(function (both) { new Uint8Array(both[0])[0] = 0; return [both[0] === both[1], new Uint8Array(both[1])[0]]; });
    }),
    check('request of a stream', function () {
      try { new Request('http://a/', { method: 'POST', body: from([]) }); } catch (e) {
        return new Request('http://a/', { method: 'POST', body: from([Buffer.from('x')]), duplex: 'half' }).text().then(function (text) { return [e.name, e.message, text]; });
      }
    }),
    check('request of a used request', function () {
      var first = new Request('http://a/', { method: 'POST', body: 'x' });
      var second = new Request(first);
      try { new Request(first); } catch (e) { return second.text().then(function (text) { return [first.bodyUsed, text, e.name, e.message]; }); }
    }),
    check('disturbed stream', function () {
      var readable = from([Buffer.from('x')]);
      return chunksOf(readable).then(function () { try { new Response(readable); } catch (e) { return e.name; } });
    })
  ]).then(function () {
    var sorted = {};
    Object.keys(results).sort().forEach(function (k) { sorted[k] = results[k]; });
    return { body: sorted };
  });
};
