// structuredClone.
(function (host, load) {
  'use strict';

  function fail(message) {
    throw new (load('abort').DOMException)(message, 'DataCloneError');
  }

  function refuse(value) {
    var name = typeof value === 'symbol' ? String(value) : typeof value === 'function' ? String(value) : '#<' + host.kind(value) + '>';
    fail(name + ' could not be cloned.');
  }

  function invalid(code, message) {
    var error = new TypeError(message);
    error.code = code;
    throw error;
  }

  // Returns the buffers that the copy takes over.
  function transferred(options) {
    if (options === undefined || options === null) {
      return [];
    }
    if (typeof options !== 'object' && typeof options !== 'function') {
      invalid('ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
    }
    var list = options.transfer;
    if (list === undefined || list === null) {
      return [];
    }
    if (typeof list !== 'object') {
      invalid('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
    }
    // An object that is not iterable has no elements.
    var buffers = Array.from(list);
    buffers.forEach(function (buffer, at) {
      if (host.kind(buffer) !== 'ArrayBuffer') {
        invalid('ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
      }
      if (buffers.indexOf(buffer) < at) {
        fail('Transfer list contains duplicate ArrayBuffer');
      }
    });
    return buffers;
  }

  function clone(value, seen) {
    if (typeof value === 'function' || typeof value === 'symbol') {
      refuse(value);
    }
    if (value === null || typeof value !== 'object') {
      return value;
    }
    if (seen.has(value)) {
      return seen.get(value);
    }
    return cloneObject(value, seen, function (copy) {
      seen.set(value, copy);
      return copy;
    });
  }

  function cloneObject(value, seen, keep) {
    var tag = Object.prototype.toString.call(value).slice(8, -1);
    if (ArrayBuffer.isView(value)) {
      var buffer = clone(value.buffer, seen);
      var Type = host.kind(value) === 'DataView' ? DataView : globalThis[host.kind(value)];
      return keep(new Type(buffer, value.byteOffset, Type === DataView ? value.byteLength : value.length));
    }
    if (value instanceof ArrayBuffer) {
      if (host.isDetached(value)) {
        fail('An ArrayBuffer is detached and could not be cloned.');
      }
      return keep(value.slice(0));
    }
    if ((tag === 'Blob' || tag === 'File') && value instanceof globalThis.Blob) {
      return keep(value.slice(0, value.size, value.type));
    }
    if (value instanceof Date) {
      return keep(new Date(value.getTime()));
    }
    if (value instanceof RegExp) {
      return keep(new RegExp(value.source, value.flags));
    }
    if (value instanceof Boolean || value instanceof Number || value instanceof String) {
      return keep(Object(value.valueOf()));
    }
    return cloneCollection(value, tag, seen, keep);
  }

  function cloneCollection(value, tag, seen, keep) {
    if (value instanceof Map) {
      var map = keep(new Map());
      value.forEach(function (item, key) {
        map.set(clone(key, seen), clone(item, seen));
      });
      return map;
    }
    if (value instanceof Set) {
      var set = keep(new Set());
      value.forEach(function (item) {
        set.add(clone(item, seen));
      });
      return set;
    }
    if (value instanceof Error) {
      return cloneError(value, seen, keep);
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
      refuse(value);
    }
    var copy = keep(Array.isArray(value) ? new Array(value.length) : {});
    Object.keys(value).forEach(function (key) {
      copy[key] = clone(value[key], seen);
    });
    return copy;
  }

  function cloneError(value, seen, keep) {
    var known = ['EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];
    var Type = known.indexOf(value.name) < 0 ? Error : globalThis[value.name];
    var copy = keep(new Type(value.message));
    Object.defineProperty(copy, 'stack', { value: value.stack, writable: true, configurable: true });
    if ('cause' in value) {
      Object.defineProperty(copy, 'cause', { value: clone(value.cause, seen), writable: true, configurable: true });
    }
    return copy;
  }

  return {
    structuredClone: function structuredClone(value, options) {
      if (arguments.length === 0) {
        throw new TypeError('The "value" argument must be specified');
      }
      var buffers = transferred(options);
      var copy = clone(value, new Map());
      buffers.forEach(host.detach);
      return copy;
    }
  };
})
