var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var stream = require('stream');
var promises = require('stream/promises');
function collected(readable) {
  return new Promise(function (resolve) {
    var chunks = [];
    readable.on('data', function (chunk) { chunks.push(chunk); });
    readable.on('end', function () { resolve(chunks.map(String)); });
    readable.on('error', function (e) { resolve(['error', e.message, e.code || null]); });
  });
}
function upper() {
  return new stream.Transform({
    transform: function (chunk, encoding, done) { done(null, String(chunk).toUpperCase()); },
    flush: function (done) { this.push('!'); done(); }
  });
}
check('classes', function () {
  return [stream === stream.Stream, typeof stream, new stream.PassThrough() instanceof stream.Transform, new stream.Transform() instanceof stream.Duplex,
    new stream.Duplex() instanceof stream.Readable, new stream.Readable() instanceof stream,
    new stream.Readable() instanceof require('events'), stream.promises === promises, typeof promises.pipeline, typeof promises.finished];
});
check('without new', function () {
  return [stream.Readable() instanceof stream.Readable, stream.PassThrough() instanceof stream.PassThrough];
});
check('subclass', function () {
  function Own(options) { stream.Readable.call(this, options); }
  require('util').inherits(Own, stream.Readable);
  Own.prototype._read = function () { this.push('x'); this.push(null); };
  var own = new Own({ highWaterMark: 5 });
  return [own.readableHighWaterMark, own.readable, own.destroyed, String(own.read()), own.read()];
});
check('no chunk', function () {
  new stream.Writable().write(null);
});
module.exports = function () {
  var all = {
    data: function () {
      var parts = ['a', 'b', null];
      return collected(new stream.Readable({ read: function () { this.push(parts.shift()); } }));
    },
    from: function () { return collected(stream.Readable.from(['a', 'b', Buffer.from('c')])); },
    pipe: function () { return collected(stream.Readable.from(['a', 'b']).pipe(upper())); },
    encoding: function () {
      var readable = new stream.Readable({ read: function () {} });
      readable.setEncoding('utf8');
      readable.push(Buffer.from([0xe2, 0x82]));
      readable.push(Buffer.from([0xac]));
      readable.push(null);
      return collected(readable);
    },
    pipeline: function () {
      return new Promise(function (resolve) {
        var written = [];
        stream.pipeline(stream.Readable.from(['a', 'b']), upper(), new stream.Writable({
          write: function (chunk, encoding, done) { written.push(String(chunk)); done(); }
        }), function (error) { resolve([error === undefined || error === null, written]); });
      });
    },
    'pipeline that fails': function () {
      return promises.pipeline(stream.Readable.from(['a']), new stream.Transform({
        transform: function (chunk, encoding, done) { done(new Error('broken')); }
      }), new stream.PassThrough()).then(String, function (e) { return e.message; });
    },
    finished: function () {
      var through = new stream.PassThrough();
      through.resume();
      through.end('x');
      return promises.finished(through).then(function (value) { return ['finished', value === undefined]; });
    },
    'finished too early': function () {
      var readable = new stream.Readable({ read: function () {} });
      var result = promises.finished(readable).then(String, function (e) { return [e.code, e.message]; });
      readable.destroy();
      return result;
    },
    destroyed: function () {
      return new Promise(function (resolve) {
        var seen = [];
        var readable = new stream.Readable({ read: function () {} });
        readable.on('error', function (e) { seen.push('error ' + e.message); });
        readable.on('close', function () { seen.push('close'); resolve([seen, readable.destroyed]); });
        readable.destroy(new Error('no more'));
      });
    },
    'write after end': function () {
      return new Promise(function (resolve) {
        var writable = new stream.Writable({ write: function (chunk, encoding, done) { done(); } });
        writable.on('error', function (e) { resolve([e.name, e.code, e.message]); });
        writable.end('x');
        writable.write('y');
      });
    },
    backpressure: function () {
      return new Promise(function (resolve) {
        var seen = [];
        var writable = new stream.Writable({
          highWaterMark: 3,
          write: function (chunk, encoding, done) { seen.push(String(chunk)); setTimeout(done, 1); }
        });
        seen.push(writable.write('ab'), writable.write('cd'));
        writable.once('drain', function () { seen.push('drain'); writable.end(); });
        writable.on('finish', function () { seen.push('finish'); resolve(seen); });
      });
    },
    objects: function () {
      var sums = new stream.Transform({ objectMode: true, transform: function (n, encoding, done) { done(null, { twice: 2 * n }); } });
      var result = [];
      sums.on('data', function (each) { result.push(each); });
      sums.write(1);
      sums.end(2);
      return promises.finished(sums).then(function () { return result; });
    },
    iteration: function () {
      var iterator = stream.Readable.from(['a', 'b'])[Symbol.asyncIterator]();
      return iterator.next().then(function (first) {
        return iterator.next().then(function (second) {
          return iterator.next().then(function (third) { return [first, second, third.done]; });
        });
      });
    },
    readable: function () {
      return new Promise(function (resolve) {
        var through = new stream.PassThrough();
        var seen = [];
        through.on('readable', function () {
          for (var chunk = through.read(); chunk !== null; chunk = through.read()) {
            seen.push(String(chunk));
          }
        });
        through.on('end', function () { resolve(seen); });
        through.write('ab');
        through.end('cd');
      });
    },
    once: function () {
      return new Promise(function (resolve) {
        stream.Readable.from(['a', 'b']).once('data', resolve);
      });
    },
    abort: function () {
      var controller = new AbortController();
      var readable = stream.addAbortSignal(controller.signal, new stream.Readable({ read: function () {} }));
      var result = promises.finished(readable).then(String, function (e) { return [e.name, e.code]; });
      controller.abort();
      return result;
    },
    operators: function () {
      return stream.Readable.from([1, 2, 3, 4]).filter(function (n) { return n % 2 === 0; }).map(function (n) { return n * n; }).toArray();
    },
    decoded: function () {
      var decoder = new (require('string_decoder').StringDecoder)('utf8');
      return [decoder.write(Buffer.from([0xe2])), decoder.write(Buffer.from([0x82, 0xac])), decoder.end()];
    }
  };
  return Promise.all(Object.keys(all).map(function (name) {
    return Promise.resolve().then(all[name]).catch(function (e) { return 'fails ' + e.name + ': ' + e.message; }).then(function (value) {
      results[name] = value;
    });
  })).then(function () {
    var sorted = {};
    Object.keys(results).sort().forEach(function (name) { sorted[name] = results[name]; });
    return { body: sorted };
  });
};
