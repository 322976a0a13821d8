// What Rhino does not do as Node.js does, mended in each realm before a compiled script runs.
(function (global) {
  'use strict';
  var construct = Reflect.construct;
  var apply = Reflect.apply;
  var getter = Reflect.get;
  var setter = Reflect.set;
  var descriptorOf = Object.getOwnPropertyDescriptor;
  var parentOf = Object.getPrototypeOf;
  var setParent = Object.setPrototypeOf;
  var sourceOf = Function.prototype.call.bind(Function.prototype.toString);
  var call = Function.prototype.call.bind(Function.prototype.call);

  function put(target, name, value) {
    Object.defineProperty(target, name, {
      value: value, writable: true, enumerable: false, configurable: true
    });
  }

  function isObject(value) {
    return value !== null && (typeof value === 'object' || typeof value === 'function');
  }

  function constant(target, name, value) {
    Object.defineProperty(target, name, {
      value: value, writable: false, enumerable: false, configurable: false
    });
  }

  if (!Symbol.asyncIterator) {
    constant(Symbol, 'asyncIterator', Symbol('Symbol.asyncIterator'));
  }

  // Built-in constructors make the wrong object, or none, for a subclass.
  put(Reflect, 'construct', function (target, args, newTarget) {
    if (arguments.length < 3 || newTarget === target || typeof target !== 'function') {
      return construct(target, args);
    }
    var prototype = newTarget.prototype;
    if (sourceOf(target).indexOf('[native code') >= 0) {
      var made = construct(target, args);
      return isObject(prototype) ? setParent(made, prototype) : made;
    }
    var self = Object.create(isObject(prototype) ? prototype : Object.prototype);
    var result = apply(target, self, args);
    return isObject(result) ? result : self;
  });

  function find(target, key) {
    for (var at = target; at !== null; at = parentOf(at)) {
      var found = descriptorOf(at, key);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  // Accessors have to see the receiver; super.x depends on it.
  put(Reflect, 'get', function (target, key, receiver) {
    if (arguments.length < 3 || receiver === target || !isObject(target)) {
      return getter(target, key);
    }
    var found = find(target, key);
    if (!found || !('get' in found || 'set' in found)) {
      return getter(target, key);
    }
    return found.get ? call(found.get, receiver) : undefined;
  });

  put(Reflect, 'set', function (target, key, value, receiver) {
    if (arguments.length < 4 || receiver === target || !isObject(target)) {
      return setter(target, key, value);
    }
    var found = find(target, key);
    if (found && ('get' in found || 'set' in found)) {
      if (!found.set) {
        return false;
      }
      call(found.set, receiver, value);
      return true;
    }
    return !(found && !found.writable) && isObject(receiver) && setter(receiver, key, value);
  });

  var promiseThen = Promise.prototype.then;

  // Rhino's answers " rejected".
  put(Promise, 'allSettled', function allSettled(values) {
    var Kind = this;
    return Kind.all(Array.from(values, function (value) {
      return Kind.resolve(value).then(
          function (kept) { return { status: 'fulfilled', value: kept }; },
          function (reason) { return { status: 'rejected', reason: reason }; });
    }));
  });

  var any = Promise.any;
  put(Promise, 'any', function (values) {
    return call(promiseThen, call(any, this, values), undefined, function (error) {
      if (error instanceof AggregateError && error.message === '') {
        put(error, 'message', 'All promises were rejected');
      }
      throw error;
    });
  });
  ['construct', 'get', 'set'].forEach(function (name) {
    Object.defineProperty(Reflect[name], 'name', { value: name, configurable: true });
  });
  Object.defineProperty(Promise.any, 'name', { value: 'any', configurable: true });

  // Rhino has all other methods of DataView.
  var getUint32 = DataView.prototype.getUint32;
  var setUint32 = DataView.prototype.setUint32;
  [{ type: 'BigInt64', read: DataView.prototype.getInt32 }, { type: 'BigUint64', read: getUint32 }].forEach(function (each) {
    function getter(offset, little) {
      var at = Math.trunc(+offset) || 0;
      var high = call(each.read, this, little ? at + 4 : at, little);
      return (BigInt(high) << BigInt(32)) | BigInt(call(getUint32, this, little ? at : at + 4, little));
    }
    function setter(offset, value, little) {
      var at = Math.trunc(+offset) || 0;
      if (typeof value === 'number') {
        throw new TypeError('Cannot convert ' + value + ' to a BigInt');
      }
      var bits = BigInt.asUintN(64, value);
      call(getUint32, this, at);
      call(getUint32, this, at + 4);
      call(setUint32, this, little ? at : at + 4, Number(BigInt.asUintN(32, bits)), little);
      call(setUint32, this, little ? at + 4 : at, Number(bits >> BigInt(32)), little);
    }
    [['get', getter], ['set', setter]].forEach(function (made) {
      Object.defineProperty(made[1], 'name', { value: made[0] + each.type, configurable: true });
      put(DataView.prototype, made[0] + each.type, made[1]);
    });
  });

  var nativeLog2 = Math.log2;
  put(Math, 'log2', function log2(x) {
    var result = nativeLog2(x);
    var rounded = Math.round(result);
    return Math.pow(2, rounded) === +x ? rounded : result;
  });
})
