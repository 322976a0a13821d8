// The module zlib, without Brotli. Streams compress when they have received all data.
(function (host, load) {
  'use strict';
  var ERRORS = { Z_DATA_ERROR: -3, Z_BUF_ERROR: -5, Z_NEED_DICT: 2 };
  var INPUTS = 'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer';
  var constants = {
    Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5,
    Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3,
    Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6,
    Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1,
    Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3, Z_FIXED: 4, Z_DEFAULT_STRATEGY: 0,
    DEFLATE: 1, INFLATE: 2, GZIP: 3, GUNZIP: 4, DEFLATERAW: 5, INFLATERAW: 6, UNZIP: 7,
    Z_MIN_WINDOWBITS: 8, Z_MAX_WINDOWBITS: 15, Z_DEFAULT_WINDOWBITS: 15,
    Z_MIN_CHUNK: 64, Z_MAX_CHUNK: Infinity, Z_DEFAULT_CHUNK: 16384,
    Z_MIN_MEMLEVEL: 1, Z_MAX_MEMLEVEL: 9, Z_DEFAULT_MEMLEVEL: 8,
    Z_MIN_LEVEL: -1, Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1
  };
  // The names, and the format of each.
  var COMPRESSORS = { Deflate: 'DEFLATE', Gzip: 'GZIP', DeflateRaw: 'RAW' };
  var DECOMPRESSORS = { Inflate: 'DEFLATE', Gunzip: 'GZIP', InflateRaw: 'RAW', Unzip: 'ANY' };

  function coded(error, code) {
    error.code = code;
    return error;
  }

  function wrongType(name, expected, value) {
    return load('inspect').wrongArgument(name, expected, value);
  }

  function bytesOf(name, data, expected) {
    if (typeof data === 'string') {
      return host.utf8(data);
    }
    if (!ArrayBuffer.isView(data) && host.kind(data) !== 'ArrayBuffer') {
      throw wrongType(name, expected, data);
    }
    return data;
  }

  function within(options, name, low, high, otherwise) {
    var value = options[name];
    if (value === undefined || value !== value) {
      return otherwise;
    }
    if (typeof value !== 'number') {
      throw coded(new TypeError('The "options.' + name + '" property must be of type number. Received ' + load('inspect').received(value)), 'ERR_INVALID_ARG_TYPE');
    }
    if (!(value >= low && value <= high)) {
      throw coded(new RangeError('The value of "options.' + name + '" is out of range. It must be ' + (high === Infinity ? '>= ' + low : '>= ' + low + ' and <= ' + high)
          + '. Received ' + value), 'ERR_OUT_OF_RANGE');
    }
    return value;
  }

  function settings(options, name) {
    var given = options === undefined || options === null ? {} : options;
    within(given, 'chunkSize', 64, Infinity, 0);
    within(given, 'flush', 0, 5, 0);
    within(given, 'windowBits', given.windowBits === 0 && name in DECOMPRESSORS ? 0 : name === 'Gzip' ? 9 : 8, 15, 15);
    within(given, 'memLevel', 1, 9, 8);
    return {
      level: within(given, 'level', -1, 9, -1),
      strategy: within(given, 'strategy', 0, 4, 0),
      isPartial: within(given, 'finishFlush', 0, 5, 4) === 2,
      limit: within(given, 'maxOutputLength', 1, Infinity, Infinity),
      dictionary: given.dictionary === undefined ? null
          : bytesOf('options.dictionary', given.dictionary, 'an instance of Buffer, TypedArray, DataView, or ArrayBuffer')
    };
  }

  function failure(code, message) {
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return coded(new RangeError('Cannot create a Buffer larger than ' + message + ' bytes'), code);
    }
    var error = new Error(message);
    error.errno = ERRORS[code];
    return coded(error, code);
  }

  function compress(format, data, set) {
    return Buffer.from(host.compress(data, format, set.level, set.strategy, set.dictionary));
  }

  function decompress(format, data, set) {
    var made = host.decompress(data, format, set.limit, set.isPartial, set.dictionary);
    if (Array.isArray(made)) {
      throw failure(made[0], made[1]);
    }
    return Buffer.from(made);
  }

  function stream(name, run) {
    var Transform = load('stream').Transform;

    function Type(options) {
      if (!(this instanceof Type)) {
        return new Type(options);
      }
      var set = settings(options, name);
      var parts = [];
      var self = Transform.call(this, Object.assign({}, options, {
        decodeStrings: true,
        transform: function (chunk, encoding, done) {
          this.bytesWritten += chunk.length;
          parts.push(chunk);
          done();
        },
        flush: function (done) {
          var made;
          try {
            made = run(Buffer.concat(parts), set);
          } catch (error) {
            done(error);
            return;
          }
          done(null, made);
        },
        final: undefined
      })) || this;
      self.bytesWritten = 0;
      return self;
    }
    Object.defineProperty(Type, 'name', { value: name, configurable: true });
    Object.setPrototypeOf(Type, Transform);
    Object.setPrototypeOf(Type.prototype, Transform.prototype);
    Type.prototype.close = function close(callback) {
      if (typeof callback === 'function') {
        this.once('close', callback);
      }
      this.destroy();
    };
    Type.prototype.flush = function flush(kind, callback) {
      var done = typeof kind === 'function' ? kind : callback;
      if (done) {
        host.microtask(done);
      }
    };
    return Type;
  }

  var zlib = { constants: constants, codes: {} };
  Object.keys(constants).slice(6, 15).forEach(function (name) {
    zlib.codes[name] = constants[name];
    zlib.codes[constants[name]] = name;
  });

  function add(name, isCompressor, format) {
    var method = name.charAt(0).toLowerCase() + name.slice(1);
    var Type;

    function run(data, set) {
      return isCompressor ? compress(format, data, set) : decompress(format, data, set);
    }

    function sync(data, options) {
      return run(bytesOf('buffer', data, INPUTS), settings(options, name));
    }

    function async(data, options, callback) {
      if (typeof options === 'function') {
        callback = options;
        options = undefined;
      }
      if (typeof callback !== 'function') {
        throw wrongType('callback', 'of type function', callback);
      }
      var bytes = bytesOf('buffer', data, INPUTS);
      var set = settings(options, name);
      host.microtask(function () {
        var made;
        try {
          made = run(bytes, set);
        } catch (error) {
          callback(error);
          return;
        }
        callback(null, made);
      });
    }

    function type() {
      Type = Type || stream(name, run);
      return Type;
    }

    zlib[method] = async;
    zlib[method + 'Sync'] = sync;
    Object.defineProperty(zlib, name, { get: type, enumerable: true, configurable: true });
    zlib['create' + name] = function (options) {
      return new (type())(options);
    };
  }

  Object.keys(COMPRESSORS).forEach(function (name) {
    add(name, true, COMPRESSORS[name]);
  });
  Object.keys(DECOMPRESSORS).forEach(function (name) {
    add(name, false, DECOMPRESSORS[name]);
  });
  // Packages look for createBrotliDecompress before they ask for data in this format.
  ['brotliCompress', 'brotliCompressSync', 'brotliDecompress', 'brotliDecompressSync'].forEach(function (name) {
    zlib[name] = load('define').unavailable('zlib.' + name);
  });
  zlib.crc32 = function crc32(data, value) {
    var start = value === undefined ? 0 : value;
    if (typeof start !== 'number') {
      throw wrongType('value', 'of type number', start);
    }
    return host.crc32(bytesOf('data', data, 'of type string or an instance of Buffer, TypedArray, or DataView'), start >>> 0);
  };
  return zlib;
})
