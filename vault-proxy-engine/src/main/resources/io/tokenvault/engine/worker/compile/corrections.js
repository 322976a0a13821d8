// What Rhino does otherwise than Node.js: each function corrects one object, or returns a function in
// place of Rhino's. "original" has functions as they were before any other script ran, and "call",
// which calls the first argument with the second one as "this".
(function (original) {
  'use strict';
  var call = original.call;
  var descriptorOf = original.getOwnPropertyDescriptor;
  var defineProperty = original.defineProperty;
  var parentOf = original.getPrototypeOf;
  var setParent = original.setPrototypeOf;
  var create = original.create;

  function define(target, name, value) {
    defineProperty(target, name, {
      value: value, writable: true, enumerable: false, configurable: true
    });
  }

  function put(target, name, method) {
    defineProperty(method, 'name', { value: name, configurable: true });
    define(target, name, method);
  }

  function isObject(value) {
    return value !== null && (typeof value === 'object' || typeof value === 'function');
  }

  function find(target, key) {
    for (var at = target; at !== null; at = parentOf(at)) {
      var found = descriptorOf(at, key);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  function correctReflect(Reflect) {
    var construct = Reflect.construct;
    var apply = Reflect.apply;
    var getter = Reflect.get;
    var setter = Reflect.set;

    // Built-in constructors make the wrong object, or none, for a subclass.
    put(Reflect, 'construct', function (target, args, newTarget) {
      if (arguments.length < 3 || newTarget === target || typeof target !== 'function') {
        return construct(target, args);
      }
      var prototype = newTarget.prototype;
      if (original.isNative(target)) {
        var made = construct(target, args);
        return isObject(prototype) ? setParent(made, prototype) : made;
      }
      var self = create(isObject(prototype) ? prototype : original.prototype);
      var result = apply(target, self, args);
      return isObject(result) ? result : self;
    });

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
  }

  // Rhino has all other methods of DataView.
  function correctDataView(DataView) {
    var prototype = DataView.prototype;
    var getUint32 = prototype.getUint32;
    var setUint32 = prototype.setUint32;
    [{ type: 'BigInt64', read: prototype.getInt32 }, { type: 'BigUint64', read: getUint32 }].forEach(function (each) {
      put(prototype, 'get' + each.type, function (offset, little) {
        var at = Math.trunc(+offset) || 0;
        var high = call(each.read, this, little ? at + 4 : at, little);
        return (BigInt(high) << BigInt(32)) | BigInt(call(getUint32, this, little ? at : at + 4, little));
      });
      put(prototype, 'set' + each.type, function (offset, value, little) {
        var at = Math.trunc(+offset) || 0;
        if (typeof value === 'number') {
          throw new TypeError('Cannot convert ' + value + ' to a BigInt');
        }
        var bits = BigInt.asUintN(64, value);
        call(getUint32, this, at);
        call(getUint32, this, at + 4);
        call(setUint32, this, little ? at : at + 4, Number(BigInt.asUintN(32, bits)), little);
        call(setUint32, this, little ? at + 4 : at, Number(bits >> BigInt(32)), little);
      });
    });
  }

  function correctMath(Math) {
    var log2 = Math.log2;
    put(Math, 'log2', function (x) {
      var result = log2(x);
      var rounded = Math.round(result);
      return Math.pow(2, rounded) === +x ? rounded : result;
    });
  }

  // Rhino's answers " rejected".
  function allSettled() {
    return function allSettled(values) {
      var Kind = this;
      return Kind.all(Array.from(values, function (value) {
        return Kind.resolve(value).then(
            function (kept) { return { status: 'fulfilled', value: kept }; },
            function (reason) { return { status: 'rejected', reason: reason }; });
      }));
    };
  }

  function any(rhinos) {
    return function any(values) {
      return call(original.then, call(rhinos, this, values), undefined, function (error) {
        if (error instanceof AggregateError && error.message === '') {
          define(error, 'message', 'All promises were rejected');
        }
        throw error;
      });
    };
  }

  return {
    Reflect: correctReflect,
    DataView: correctDataView,
    Math: correctMath,
    allSettled: allSettled,
    any: any
  };
})
