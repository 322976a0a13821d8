// Blob, File and FormData: bytes and fields in memory.
(function (host, load) {
  'use strict';
  var Buffer = globalThis.Buffer;
  var define = load('define');
  var hide = define.hide;
  var needsNew = define.needsNew;

  function getter(Type, name) {
    define.getter(Type, name, function () { return this['_' + name]; });
  }

  function wrongType(name, kind, value) {
    var error = new TypeError('The "' + name + '" argument must be a ' + kind + '. Received ' + load('inspect').received(value));
    error.code = 'ERR_INVALID_ARG_TYPE';
    return error;
  }

  // ---- Blob and File

  function bytesOf(part) {
    if (part instanceof Blob) {
      return part._bytes;
    }
    if (ArrayBuffer.isView(part)) {
      return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    }
    return part instanceof ArrayBuffer ? Buffer.from(part) : Buffer.from(String(part));
  }

  function keep(blob, bytes, type) {
    hide(blob, '_bytes', bytes);
    hide(blob, '_size', bytes.length);
    hide(blob, '_type', /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : '');
    return blob;
  }

  function fill(blob, parts, options) {
    var list = parts === undefined ? [] : parts;
    if (list === null || typeof list !== 'object' || typeof list[Symbol.iterator] !== 'function') {
      throw wrongType('sources', 'sequence', list);
    }
    if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
      throw wrongType('options', 'dictionary', options);
    }
    var type = Object(options).type;
    keep(blob, Buffer.concat(Array.from(list, bytesOf)), type === undefined ? '' : String(type));
  }

  function Blob(parts, options) {
    needsNew(this, Blob, 'Blob');
    fill(this, parts, options);
  }
  getter(Blob, 'type');
  getter(Blob, 'size');
  Blob.prototype.slice = function slice(start, end, type) {
    return keep(Object.create(Blob.prototype), Buffer.from(this._bytes.slice(start, end)), type === undefined ? '' : String(type));
  };
  Blob.prototype.arrayBuffer = function arrayBuffer() {
    return Promise.resolve(host.copy(this._bytes));
  };
  Blob.prototype.text = function text() {
    return Promise.resolve(host.decode(this._bytes));
  };
  Blob.prototype.stream = function stream() {
    var blob = this;
    return load('stream-web').ofBytes(function () { return host.copy(blob._bytes); });
  };
  hide(Blob.prototype, Symbol.toStringTag, 'Blob');

  function File(parts, name, options) {
    needsNew(this, File, 'File');
    if (arguments.length < 2) {
      var error = new TypeError('The "fileBits" and "fileName" arguments must be specified');
      error.code = 'ERR_MISSING_ARGS';
      throw error;
    }
    fill(this, parts, options);
    var modified = Object(options).lastModified;
    hide(this, '_name', String(name));
    hide(this, '_lastModified', modified === undefined ? Date.now() : Number(modified));
  }
  File.prototype = Object.create(Blob.prototype);
  hide(File.prototype, 'constructor', File);
  Object.setPrototypeOf(File, Blob);
  getter(File, 'name');
  getter(File, 'lastModified');
  hide(File.prototype, Symbol.toStringTag, 'File');

  // ---- FormData

  function FormData(form) {
    needsNew(this, FormData, 'FormData');
    if (form !== undefined) {
      throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
    }
    hide(this, '_list', []);
  }

  function entry(method, values) {
    if (values.length < 2) {
      throw new TypeError('FormData.' + method + ': 2 arguments required, but only ' + values.length + ' found.');
    }
    var value = values[1];
    if (!(value instanceof Blob)) {
      if (values.length > 2) {
        throw new TypeError("Failed to execute '" + method + "' on 'FormData': parameter 2 is not of type 'Blob'");
      }
      return [String(values[0]), String(value)];
    }
    var name = values.length > 2 ? values[2] : value instanceof File ? value.name : 'blob';
    var same = value instanceof File && values.length < 3;
    return [String(values[0]), same ? value : new File([value], name, { type: value.type })];
  }

  FormData.prototype.append = function append() {
    this._list.push(entry('append', arguments));
  };
  FormData.prototype.delete = function (name) {
    var removed = String(name);
    this._list = this._list.filter(function (each) { return each[0] !== removed; });
  };
  FormData.prototype.get = function get(name) {
    var all = this.getAll(name);
    return all.length === 0 ? null : all[0];
  };
  FormData.prototype.getAll = function getAll(name) {
    var wanted = String(name);
    return this._list.filter(function (each) { return each[0] === wanted; }).map(function (each) { return each[1]; });
  };
  FormData.prototype.has = function has(name) {
    return this.getAll(name).length > 0;
  };
  // The first of the name is replaced, and the others are removed.
  FormData.prototype.set = function set() {
    var made = entry('set', arguments);
    var at = this._list.findIndex(function (each) { return each[0] === made[0]; });
    this._list = this._list.filter(function (each, index) { return each[0] !== made[0] || index === at; });
    this._list[at < 0 ? this._list.length : at] = made;
  };
  FormData.prototype.keys = function keys() {
    return this._list.map(function (each) { return each[0]; }).values();
  };
  FormData.prototype.values = function values() {
    return this._list.map(function (each) { return each[1]; }).values();
  };
  FormData.prototype.entries = function entries() {
    return this._list.map(function (each) { return each.slice(); }).values();
  };
  FormData.prototype.forEach = function forEach(callback, self) {
    var form = this;
    this._list.forEach(function (each) { callback.call(self, each[1], each[0], form); });
  };
  hide(FormData.prototype, Symbol.iterator, FormData.prototype.entries);
  hide(FormData.prototype, Symbol.toStringTag, 'FormData');

  // ---- bodies of requests and responses

  function lines(text) {
    return text.replace(/\r?\n|\r/g, '\r\n');
  }

  function quoted(name) {
    return '"' + name.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22') + '"';
  }

  // Returns the bytes and the content type of a form (RFC 7578).
  function multipart(form) {
    var boundary = '----formdata-undici-0' + String(Math.floor(Math.random() * 1e11)).padStart(11, '0');
    var parts = [];
    form._list.forEach(function (each) {
      var head = '--' + boundary + '\r\nContent-Disposition: form-data; name=' + quoted(lines(each[0]));
      if (typeof each[1] === 'string') {
        parts.push(Buffer.from(head + '\r\n\r\n' + lines(each[1]) + '\r\n'));
      } else {
        parts.push(
            Buffer.from(head + '; filename=' + quoted(each[1].name) + '\r\nContent-Type: '
                + (each[1].type || 'application/octet-stream') + '\r\n\r\n'),
            each[1]._bytes, Buffer.from('\r\n'));
      }
    });
    parts.push(Buffer.from('--' + boundary + '--\r\n'));
    return [host.copy(Buffer.concat(parts)), 'multipart/form-data; boundary=' + boundary];
  }

  return {
    Blob: Blob,
    File: File,
    FormData: FormData,
    // Returns the bytes and the content type of a body; null if it is neither a form nor a blob.
    content: function (body) {
      if (body instanceof FormData) {
        return multipart(body);
      }
      return body instanceof Blob ? [host.copy(body._bytes), body.type || null] : null;
    }
  };
})
