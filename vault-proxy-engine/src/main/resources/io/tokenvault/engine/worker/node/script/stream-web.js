// The modules stream/web and stream/consumers: the classes of web-streams-polyfill, what Node.js shows of them, and
// the streams of texts and of compressed data, which are compressed when all of it has arrived.
(function (host, load) {
  'use strict';
  var standard = load('stream-web-standard');
  var hide = load('define').hide;
  var getter = load('define').getter;
  var needsNew = load('define').needsNew;
  var Buffer = globalThis.Buffer;
  var ReadableStream = standard.ReadableStream;
  var TransformStream = standard.TransformStream;

  // ---- what Node.js shows of the classes of the standard

  function shown(name, describe) {
    hide(standard[name].prototype, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
      return depth < 0 ? '[' + name + ']' : name + ' ' + inspect(describe(this), options);
    });
  }
  shown('ReadableStream', function (stream) {
    return { locked: stream.locked, state: stream._state, supportsBYOB: stream._readableStreamController instanceof standard.ReadableByteStreamController };
  });
  shown('WritableStream', function (stream) {
    return { locked: stream.locked, state: stream._state };
  });
  shown('TransformStream', function (stream) {
    return { readable: stream.readable, writable: stream.writable, backpressure: stream._backpressure };
  });

  function state(symbol, read) {
    Object.defineProperty(ReadableStream.prototype, Symbol.for('nodejs.stream.' + symbol), { get: read, configurable: true });
  }
  state('disturbed', function () { return this._disturbed; });
  state('errored', function () { return this._state === 'errored'; });
  state('readable', function () { return this._state === 'readable'; });

  // ---- streams of texts and of compressed data

  // Defines a class whose instances have both ends of a stream.
  function ends(Type, name, own) {
    ['readable', 'writable'].forEach(function (end) {
      getter(Type, end, function () { return this._stream[end]; });
    });
    own.forEach(function (property) {
      getter(Type, property, function () { return this._coder[property]; });
    });
    hide(Type.prototype, Symbol.toStringTag, name);
  }

  function TextEncoderStream() {
    needsNew(this, TextEncoderStream, 'TextEncoderStream');
    var coder = new TextEncoder();
    var high = '';
    hide(this, '_coder', coder);
    hide(this, '_stream', new TransformStream({
      transform: function (chunk, controller) {
        var text = high + String(chunk);
        high = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
        text = high === '' ? text : text.slice(0, -1);
        if (text !== '') {
          controller.enqueue(coder.encode(text));
        }
      },
      flush: function (controller) {
        if (high !== '') {
          controller.enqueue(coder.encode(high));
        }
      }
    }));
  }
  ends(TextEncoderStream, 'TextEncoderStream', ['encoding']);

  function TextDecoderStream(encoding, options) {
    needsNew(this, TextDecoderStream, 'TextDecoderStream');
    var coder = new TextDecoder(encoding, options);
    hide(this, '_coder', coder);
    function pass(text, controller) {
      if (text !== '') {
        controller.enqueue(text);
      }
    }
    hide(this, '_stream', new TransformStream({
      transform: function (chunk, controller) { pass(coder.decode(chunk, { stream: true }), controller); },
      flush: function (controller) { pass(coder.decode(), controller); }
    }));
  }
  ends(TextDecoderStream, 'TextDecoderStream', ['encoding', 'fatal', 'ignoreBOM']);

  var FORMATS = { 'deflate': ['deflateSync', 'inflateSync'], 'deflate-raw': ['deflateRawSync', 'inflateRawSync'], 'gzip': ['gzipSync', 'gunzipSync'] };

  function compressing(name, direction) {
    function Type(format) {
      needsNew(this, Type, name);
      if (!Object.prototype.hasOwnProperty.call(FORMATS, format)) {
        var error = new TypeError("The argument 'format' must be one of: 'deflate', 'deflate-raw', 'gzip'. Received " + load('inspect').received(format));
        error.code = 'ERR_INVALID_ARG_VALUE';
        throw error;
      }
      var chunks = [];
      hide(this, '_stream', new TransformStream({
        transform: function (chunk) { chunks.push(bytesOf(chunk)); },
        flush: function (controller) {
          controller.enqueue(new Uint8Array(host.copy(load('zlib')[FORMATS[format][direction]](Buffer.concat(chunks)))));
        }
      }));
    }
    hide(Type, 'name', name);
    ends(Type, name, []);
    return Type;
  }

  function bytesOf(chunk, inBodies) {
    if (typeof chunk === 'string' && !inBodies) {
      return Buffer.from(chunk);
    }
    var bytes = host.copy(chunk);
    if (bytes === null) {
      throw new TypeError('Received non-Uint8Array chunk');
    }
    return Buffer.from(bytes);
  }

  // ---- adapters of the module stream

  // Ends "stream" with an error that a promise is rejected with.
  function failing(promise, stream) {
    promise.then(undefined, function (error) { stream.destroy(error); });
  }

  function settle(promise, callback) {
    promise.then(function () { callback(); }, callback);
  }

  // The functions of a stream of the module stream that reads from a stream of the web.
  function reading(stream) {
    var reader = stream.getReader();
    return {
      read: function () {
        var made = this;
        failing(reader.read().then(function (result) { made.push(result.done ? null : result.value); }), made);
      },
      destroy: function (error, callback) {
        var closed = function () { callback(error); };
        reader.cancel(error).then(closed, closed);
      }
    };
  }

  function writing(stream) {
    var writer = stream.getWriter();
    var ended = false;
    return {
      write: function (chunk, encoding, callback) {
        settle(writer.ready.then(function () { return writer.write(chunk); }), callback);
      },
      final: function (callback) {
        ended = true;
        settle(writer.close(), callback);
      },
      destroy: function (error, callback) {
        var closed = function () { callback(error); };
        (ended && !error ? Promise.resolve() : writer.abort(error)).then(closed, closed);
      }
    };
  }

  function fromReadable(stream, options) {
    return new (load('stream').Readable)(Object.assign({ highWaterMark: Object(options).highWaterMark }, options, reading(stream)));
  }

  function fromWritable(stream, options) {
    return new (load('stream').Writable)(Object.assign({}, options, writing(stream)));
  }

  function fromPair(pair, options) {
    var from = reading(pair.readable);
    var to = writing(pair.writable);
    return new (load('stream').Duplex)(Object.assign({}, options, from, to, {
      destroy: function (error, callback) {
        to.destroy(error, function () { from.destroy(error, callback); });
      }
    }));
  }

  function toReadable(stream, options) {
    var inObjects = stream.readableObjectMode;
    var highWaterMark = stream.readableHighWaterMark;
    var strategy = Object(options).strategy || (inObjects ? new standard.CountQueuingStrategy({ highWaterMark: highWaterMark }) : { highWaterMark: highWaterMark });
    var over = false;
    stream.pause();
    return new ReadableStream({
      start: function (controller) {
        load('stream').finished(stream, { writable: false }, function (error) {
          over = over || !(error ? controller.error(error) : controller.close());
        });
        stream.on('data', function (chunk) {
          controller.enqueue(Buffer.isBuffer(chunk) && !inObjects ? new Uint8Array(chunk) : chunk);
          if (controller.desiredSize <= 0) {
            stream.pause();
          }
        });
        stream.pause();
      },
      pull: function () { stream.resume(); },
      cancel: function (reason) {
        over = true;
        stream.destroy(reason);
      }
    }, strategy);
  }

  function toWritable(stream) {
    return new standard.WritableStream({
      start: function (controller) {
        stream.on('error', function (error) { controller.error(error); });
      },
      write: function (chunk) {
        return stream.write(chunk) ? undefined : new Promise(function (resolve) { stream.once('drain', resolve); });
      },
      close: function () {
        return new Promise(function (resolve, reject) {
          load('stream').finished(stream, { readable: false }, function (error) { error ? reject(error) : resolve(); });
          stream.end();
        });
      },
      abort: function (reason) { stream.destroy(reason); }
    }, { highWaterMark: stream.writableHighWaterMark, size: function (chunk) { return stream.writableObjectMode ? 1 : chunk.length; } });
  }

  // ---- the module stream/consumers

  // Returns a promise of the bytes of a stream. Those of bodies have no chunks of text.
  function collected(stream, inBodies) {
    var chunks = [];
    var iterator = (stream[Symbol.asyncIterator] || stream[Symbol.iterator]).call(stream);
    return Promise.resolve().then(function next() {
      return Promise.resolve(iterator.next()).then(function (result) {
        return result.done ? Buffer.concat(chunks) : next(chunks.push(bytesOf(result.value, inBodies)));
      });
    });
  }

  function textOf(stream) {
    return collected(stream).then(function (bytes) { return new TextDecoder().decode(bytes); });
  }

  var module = Object.assign({}, standard, {
    TextEncoderStream: TextEncoderStream,
    TextDecoderStream: TextDecoderStream,
    CompressionStream: compressing('CompressionStream', 0),
    DecompressionStream: compressing('DecompressionStream', 1)
  });
  return Object.assign({}, module, {
    module: module,
    collected: collected,
    consumers: {
      arrayBuffer: function arrayBuffer(stream) { return collected(stream).then(function (bytes) { return host.copy(bytes); }); },
      blob: function blob(stream) { return collected(stream).then(function (bytes) { return new Blob([bytes]); }); },
      buffer: function buffer(stream) { return collected(stream); },
      json: function json(stream) { return textOf(stream).then(JSON.parse); },
      text: textOf
    },
    // Returns a stream of bytes that are asked for when a script first reads from it.
    ofBytes: function (bytes) {
      return new ReadableStream({
        type: 'bytes',
        pull: function (controller) {
          var content = new Uint8Array(bytes());
          if (content.length > 0) {
            controller.enqueue(content);
          }
          controller.close();
          if (controller.byobRequest) {
            controller.byobRequest.respond(0);
          }
        },
        cancel: bytes
      }, { highWaterMark: 0 });
    },
    adapters: {
      newStreamReadableFromReadableStream: fromReadable,
      newReadableStreamFromStreamReadable: toReadable,
      newStreamWritableFromWritableStream: fromWritable,
      newWritableStreamFromStreamWritable: toWritable,
      newStreamDuplexFromReadableWritablePair: fromPair,
      newReadableWritablePairFromDuplex: function (duplex) {
        return { readable: toReadable(duplex), writable: toWritable(duplex) };
      }
    }
  });
})
