// The module string_decoder: text from bytes that arrive in parts, so that no character is cut.
(function (host, load) {
  'use strict';
  var NAMES = { 'utf-8': 'utf8', 'ucs2': 'utf16le', 'ucs-2': 'utf16le', 'utf-16le': 'utf16le', 'binary': 'latin1' };

  function normalized(encoding) {
    var name = encoding === undefined || encoding === null || encoding === '' ? 'utf8' : String(encoding).toLowerCase();
    if (!Buffer.isEncoding(name)) {
      var error = new TypeError('Unknown encoding: ' + encoding);
      error.code = 'ERR_UNKNOWN_ENCODING';
      throw error;
    }
    return Object.prototype.hasOwnProperty.call(NAMES, name) ? NAMES[name] : name;
  }

  // How many bytes at the end belong to a character that goes on.
  var UNFINISHED = {
    utf8: function (bytes) {
      for (var count = 1; count <= 3 && count <= bytes.length; count++) {
        var byte = bytes[bytes.length - count];
        if ((byte & 0xc0) !== 0x80) {
          var length = byte >= 0xf5 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
          return length > count ? count : 0;
        }
      }
      return 0;
    },
    utf16le: function (bytes) {
      var odd = bytes.length % 2;
      var high = bytes[bytes.length - odd - 1];
      return bytes.length - odd >= 2 && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
    },
    base64: function (bytes) {
      return bytes.length % 3;
    },
    base64url: function (bytes) {
      return bytes.length % 3;
    }
  };

  function StringDecoder(encoding) {
    this.encoding = normalized(encoding);
    Object.defineProperty(this, '_rest', { value: Buffer.alloc(0), writable: true });
  }

  StringDecoder.prototype.write = function write(data) {
    if (typeof data === 'string') {
      return data;
    }
    if (!ArrayBuffer.isView(data)) {
      throw load('inspect').wrongArgument('buf', 'an instance of Buffer, TypedArray, or DataView', data);
    }
    var bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    var all = this._rest.length ? Buffer.concat([this._rest, bytes]) : bytes;
    var unfinished = UNFINISHED[this.encoding];
    var end = all.length - (unfinished ? unfinished(all) : 0);
    this._rest = Buffer.from(all.subarray(end));
    return all.toString(this.encoding, 0, end);
  };
  StringDecoder.prototype.end = function end(data) {
    var text = data === undefined ? '' : this.write(data);
    var rest = this._rest;
    this._rest = Buffer.alloc(0);
    return text + rest.toString(this.encoding);
  };
  StringDecoder.prototype.text = function text(data, offset) {
    this._rest = Buffer.alloc(0);
    return this.write(data.slice(offset));
  };
  return { StringDecoder: StringDecoder };
})
