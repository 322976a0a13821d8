// The module util.
(function (host, load) {
  'use strict';
  var text = load('inspect');
  var PROMISIFIED = Symbol.for('nodejs.util.promisify.custom');
  var tagOf = Object.prototype.toString;

  function wrong(name, expected, value, what) {
    var error = new TypeError('The "' + name + '" ' + (what || 'argument') + ' must be ' + expected + '. Received ' + text.received(value));
    error.code = 'ERR_INVALID_ARG_TYPE';
    return error;
  }

  function promisify(original) {
    if (typeof original !== 'function') {
      throw wrong('original', 'of type function', original);
    }
    if (original[PROMISIFIED]) {
      return original[PROMISIFIED];
    }
    function promised() {
      var self = this;
      var args = Array.prototype.slice.call(arguments);
      return new Promise(function (resolve, reject) {
        args.push(function (error, value) {
          if (error) {
            reject(error);
          } else {
            resolve(value);
          }
        });
        Reflect.apply(original, self, args);
      });
    }
    Object.setPrototypeOf(promised, Object.getPrototypeOf(original));
    Object.defineProperty(promised, PROMISIFIED, { value: promised, configurable: true });
    return Object.defineProperties(promised, Object.getOwnPropertyDescriptors({ name: original.name }).name ? {
      name: { value: original.name, configurable: true }
    } : {});
  }
  promisify.custom = PROMISIFIED;

  function callbackify(original) {
    if (typeof original !== 'function') {
      throw wrong('original', 'of type function', original);
    }
    return function () {
      var args = Array.prototype.slice.call(arguments);
      var callback = args.pop();
      if (typeof callback !== 'function') {
        throw wrong('last argument', 'of type function', callback);
      }
      Reflect.apply(original, this, args).then(function (value) {
        host.microtask(function () {
          callback(null, value);
        });
      }, function (error) {
        host.microtask(function () {
          callback(error || new Error('Promise was rejected with falsy value'));
        });
      });
    };
  }

  function inherits(type, parent) {
    if (type === undefined || type === null) {
      throw wrong('ctor', 'of type function', type);
    }
    if (parent === undefined || parent === null) {
      throw wrong('superCtor', 'of type function', parent);
    }
    if (parent.prototype === undefined) {
      throw wrong('superCtor.prototype', 'of type object', undefined, 'property');
    }
    Object.defineProperty(type, 'super_', { value: parent, writable: true, configurable: true });
    Object.setPrototypeOf(type.prototype, parent.prototype);
  }

  function deprecate(original) {
    return original;
  }

  function kindIs(kind) {
    return function (value) {
      return value !== null && typeof value === 'object' && host.kind(value) === kind;
    };
  }

  var types = {
    isDate: kindIs('Date'),
    isRegExp: kindIs('RegExp'),
    isMap: kindIs('Map'),
    isSet: kindIs('Set'),
    isWeakMap: kindIs('WeakMap'),
    isWeakSet: kindIs('WeakSet'),
    isNativeError: kindIs('Error'),
    isPromise: kindIs('Promise'),
    isProxy: function (value) {
      return (typeof value === 'object' || typeof value === 'function') && host.kind(value) === 'Proxy';
    },
    isArrayBuffer: kindIs('ArrayBuffer'),
    isAnyArrayBuffer: kindIs('ArrayBuffer'),
    isDataView: kindIs('DataView'),
    isArrayBufferView: ArrayBuffer.isView,
    isTypedArray: function (value) {
      return ArrayBuffer.isView(value) && host.kind(value) !== 'DataView';
    },
    isUint8Array: function (value) {
      return value instanceof Uint8Array;
    },
    isNumberObject: kindIs('Number'),
    isStringObject: kindIs('String'),
    isBooleanObject: kindIs('Boolean'),
    isSymbolObject: kindIs('Symbol'),
    isBigIntObject: kindIs('BigInt'),
    isBoxedPrimitive: function (value) {
      return value !== null && typeof value === 'object' && /^(Number|String|Boolean|Symbol|BigInt)$/.test(host.kind(value));
    },
    isArgumentsObject: kindIs('Arguments'),
    isGeneratorObject: kindIs('Generator'),
    isGeneratorFunction: function (value) {
      return typeof value === 'function' && /GeneratorFunction/.test(tagOf.call(value));
    },
    isAsyncFunction: function (value) {
      return typeof value === 'function' && tagOf.call(value) === '[object AsyncFunction]';
    },
    isSharedArrayBuffer: function () {
      return false;
    },
    isExternal: function () {
      return false;
    }
  };

  function keysOf(value) {
    return Object.keys(value).concat(Object.getOwnPropertySymbols(value).filter(function (key) {
      return Object.prototype.propertyIsEnumerable.call(value, key);
    }));
  }

  function equal(a, b, memo) {
    if (Object.is(a, b)) {
      return true;
    }
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
      return false;
    }
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || tagOf.call(a) !== tagOf.call(b) || host.kind(a) !== host.kind(b)) {
      return false;
    }
    if (memo.get(a) === b) {
      return true;
    }
    memo.set(a, b);
    var same = sameInside(a, b, memo) && sameKeys(a, b, memo);
    memo.delete(a);
    return same;
  }

  function sameKeys(a, b, memo) {
    var keys = keysOf(a);
    return keys.length === keysOf(b).length && keys.every(function (key) {
      return Object.prototype.propertyIsEnumerable.call(b, key) && equal(a[key], b[key], memo);
    });
  }

  function sameInside(a, b, memo) {
    switch (host.kind(a)) {
      case 'Date':
        return Object.is(a.getTime(), b.getTime());
      case 'RegExp':
        return String(a) === String(b) && a.lastIndex === b.lastIndex;
      case 'Error':
        return a.message === b.message && a.name === b.name;
      case 'Number':
      case 'String':
      case 'Boolean':
      case 'BigInt':
      case 'Symbol':
        return Object.is(a.valueOf(), b.valueOf());
      case 'ArrayBuffer':
        return equal(new Uint8Array(a), new Uint8Array(b), memo);
      case 'Set':
        return sameSets(a, b, memo);
      case 'Map':
        return sameMaps(a, b, memo);
      default:
        return Array.isArray(a) ? a.length === b.length : true;
    }
  }

  function sameSets(a, b, memo) {
    var rest = Array.from(b);
    return a.size === b.size && Array.from(a).every(function (item) {
      var at = rest.findIndex(function (other) {
        return equal(item, other, memo);
      });
      if (at >= 0) {
        rest.splice(at, 1);
      }
      return at >= 0;
    });
  }

  function sameMaps(a, b, memo) {
    var rest = Array.from(b);
    return a.size === b.size && Array.from(a).every(function (pair) {
      var at = rest.findIndex(function (other) {
        return equal(pair[0], other[0], memo) && equal(pair[1], other[1], memo);
      });
      if (at >= 0) {
        rest.splice(at, 1);
      }
      return at >= 0;
    });
  }

  return {
    callbackify: callbackify,
    debuglog: function () {
      return function () {};
    },
    deprecate: deprecate,
    format: text.format,
    formatWithOptions: text.formatWithOptions,
    inherits: inherits,
    inspect: text.inspect,
    isArray: Array.isArray,
    isDeepStrictEqual: function isDeepStrictEqual(a, b) {
      return equal(a, b, new Map());
    },
    promisify: promisify,
    stripVTControlCharacters: function stripVTControlCharacters(value) {
      return value.replace(/\x1b\[[0-9;?]*[ -\/]*[@-~]/g, '');
    },
    TextDecoder: globalThis.TextDecoder,
    TextEncoder: globalThis.TextEncoder,
    toUSVString: function toUSVString(value) {
      return String(value).toWellFormed();
    },
    types: types
  };
})
