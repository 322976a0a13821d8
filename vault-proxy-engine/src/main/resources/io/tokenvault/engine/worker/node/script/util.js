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

  // Returns the results that a callback received after the error, by name.
  function named(names, results) {
    var all = {};
    names.forEach(function (name, index) {
      all[name] = results[index + 1];
    });
    return all;
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
            resolve(original.promisifiedNames ? named(original.promisifiedNames, arguments) : value);
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

  function falsy(reason) {
    var error = new Error('Promise was rejected with falsy value');
    error.code = 'ERR_FALSY_VALUE_REJECTION';
    error.reason = reason;
    return error;
  }

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
          callback(error || falsy(error));
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

  var isKey = kindIs('KeyMaterial');

  var types = {
    isDate: kindIs('Date'),
    isRegExp: kindIs('RegExp'),
    isMap: kindIs('Map'),
    isMapIterator: kindIs('Map Iterator'),
    isSetIterator: kindIs('Set Iterator'),
    isSet: kindIs('Set'),
    isWeakMap: kindIs('WeakMap'),
    isWeakSet: kindIs('WeakSet'),
    isNativeError: kindIs('Error'),
    isPromise: kindIs('Promise'),
    isProxy: function (value) {
      // The environment is one here, and not in Node.js.
      return (typeof value === 'object' || typeof value === 'function') && host.kind(value) === 'Proxy'
          && value !== load('process').env;
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
    isKeyObject: function (value) {
      return isKey(value) && Object.prototype.toString.call(value) !== '[object CryptoKey]';
    },
    isCryptoKey: function (value) {
      return isKey(value) && !types.isKeyObject(value);
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
    },
    isModuleNamespaceObject: function () {
      return false;
    }
  };

  ['Uint8Clamped', 'Uint16', 'Uint32', 'Int8', 'Int16', 'Int32', 'Float32', 'Float64', 'BigInt64', 'BigUint64'].forEach(function (name) {
    types['is' + name + 'Array'] = kindIs(name + 'Array');
  });

  function isObject(value) {
    return value !== null && typeof value === 'object';
  }

  function typeIs(name) {
    return function (value) {
      return typeof value === name;
    };
  }

  function debuglog() {
    function log() {}
    log.enabled = false;
    return log;
  }

  // All are frowned upon, and old packages use them.
  var old = {
    _extend: function _extend(target, source) {
      return isObject(source) ? Object.assign(target, source) : target;
    },
    isBoolean: typeIs('boolean'),
    isBuffer: function isBuffer(value) {
      return globalThis.Buffer.isBuffer(value);
    },
    isDate: types.isDate,
    isError: function isError(value) {
      return types.isNativeError(value) || value instanceof Error;
    },
    isFunction: typeIs('function'),
    isNull: function isNull(value) {
      return value === null;
    },
    isNullOrUndefined: function isNullOrUndefined(value) {
      return value === null || value === undefined;
    },
    isNumber: typeIs('number'),
    isObject: isObject,
    isPrimitive: function isPrimitive(value) {
      return !isObject(value) && typeof value !== 'function';
    },
    isRegExp: types.isRegExp,
    isString: typeIs('string'),
    isSymbol: typeIs('symbol'),
    isUndefined: typeIs('undefined')
  };

  return Object.assign(old, {
    callbackify: callbackify,
    debug: debuglog,
    debuglog: debuglog,
    deprecate: deprecate,
    format: text.format,
    formatWithOptions: text.formatWithOptions,
    inherits: inherits,
    inspect: text.inspect,
    isArray: Array.isArray,
    isDeepStrictEqual: function isDeepStrictEqual(a, b) {
      return load('deep-equal').equal(a, b, true);
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
  });
})
