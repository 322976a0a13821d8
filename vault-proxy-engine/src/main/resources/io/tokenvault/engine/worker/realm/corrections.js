// What Rhino does otherwise than Node.js: each function corrects one object, or returns a function in
// place of Rhino's. "original" has functions as they were before any other script ran; those of
// "host" work whatever scripts have changed.
(function (original, host) {
  'use strict';
  var call = host.call;
  var define = host.define;
  var has = host.hasOwn;
  var descriptorOf = original.getOwnPropertyDescriptor;
  var parentOf = original.getPrototypeOf;
  var isParentOf = original.prototype.isPrototypeOf;
  var setParent = original.setPrototypeOf;
  var create = original.create;
  var is = original.is;

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
    var remove = Reflect.deleteProperty;
    var defineOwn = Reflect.defineProperty;
    var extensible = Reflect.isExtensible;

    // Built-in constructors make the wrong object, or none, for a subclass, and do not fill it with
    // its own methods.
    define(Reflect, 'construct', function (target, args, newTarget) {
      if (arguments.length < 3 || newTarget === target || typeof target !== 'function') {
        return construct(target, args);
      }
      var prototype = newTarget.prototype;
      if (host.isNative(target)) {
        var filler = target === Map ? 'set' : target === Set ? 'add' : '';
        var fills = filler && isObject(prototype) && prototype[filler] !== target.prototype[filler];
        // Object returns an object that it is passed, whose prototype must stay.
        var made = construct(target, fills || target === Object ? [] : args);
        if (isObject(prototype)) {
          setParent(made, prototype);
        }
        if (fills && args[0] !== undefined && args[0] !== null) {
          Array.from(args[0], function (item) {
            return filler === 'set' ? made.set(item[0], item[1]) : made.add(item);
          });
        }
        return made;
      }
      var self = create(isObject(prototype) ? prototype : original.prototype);
      // Classes accept only objects that inherit from them.
      var accepts = !isObject(target.prototype) || call(isParentOf, target.prototype, self);
      var result = accepts ? apply(target, self, args) : setParent(construct(target, args), parentOf(self));
      return isObject(result) ? result : self;
    });

    // Accessors have to see the receiver; super.x depends on it. Rhino's own function does not find elements.
    define(Reflect, 'get', function (target, key, receiver) {
      if (!isObject(target)) {
        return getter(target, key);
      }
      var found = arguments.length < 3 || receiver === target ? undefined : find(target, key);
      if (!found || !has(found, 'get') && !has(found, 'set')) {
        return target[key];
      }
      return found.get ? call(found.get, receiver) : undefined;
    });

    // The result of the trap of a proxy, or of the function for the target if there is no such trap.
    // "contradicts" tells whether success would contradict a property of the target.
    function trapped(proxy, name, otherwise, contradicts, key, rest) {
      var found = host.trapOf(proxy, name);
      var trap = found[0];
      var target = found[2];
      if (trap === null || trap === undefined) {
        return apply(otherwise, undefined, [target, key].concat(rest));
      }
      if (typeof trap !== 'function') {
        throw new TypeError(String(trap) + ' is not a function');
      }
      var property = typeof key === 'symbol' ? key : '' + key;
      var done = Boolean(apply(trap, found[1], [target, property].concat(rest)));
      var own = done ? descriptorOf(target, property) : undefined;
      if (own && !own.configurable && contradicts(own)) {
        throw new TypeError("'" + name + "' on proxy: trap returned truish for property '" + String(key) + "', which cannot be changed");
      }
      return done;
    }

    // Rhino's own function throws where the property cannot be removed.
    define(Reflect, 'deleteProperty', function deleteProperty(target, key) {
      if (host.isProxy(target)) {
        return trapped(target, 'deleteProperty', deleteProperty, function () { return true; }, key, []);
      }
      var own = isObject(target) ? descriptorOf(target, key) : undefined;
      return own && !own.configurable ? false : remove(target, key);
    });

    // Rhino's own function ignores a receiver that is a proxy, and throws where the value cannot be set.
    define(Reflect, 'set', function set(target, key, value, receiver) {
      var self = receiver === undefined ? target : receiver;
      if (!isObject(target)) {
        return setter(target, key, value);
      }
      if (host.isProxy(target)) {
        return trapped(target, 'set', set, function (own) {
          return has(own, 'value') ? !own.writable && !is(own.value, value) : !own.set;
        }, key, [value, self]);
      }
      var found = find(target, key);
      if (found && (has(found, 'get') || has(found, 'set'))) {
        if (!found.set) {
          return false;
        }
        call(found.set, self, value);
        return true;
      }
      if (found && !found.writable || !isObject(self)) {
        return false;
      }
      var own = descriptorOf(self, key);
      if (own ? !own.writable : !extensible(self)) {
        return false;
      }
      if (own ? !host.isProxy(self) : self === target) {
        self[key] = value;
        return true;
      }
      return defineOwn(self, key, own ? { value: value }
          : { value: value, writable: true, enumerable: true, configurable: true });
    });
  }

  // Rhino's own function throws for a string or a number, and asks the trap "has" of a proxy.
  function hasOwn(replaced) {
    return function hasOwn(value, key) {
      if (host.isProxy(value)) {
        return descriptorOf(value, key) !== undefined;
      }
      return replaced(value === null || value === undefined ? value : Object(value), key);
    };
  }

  // Rhino has all other methods of DataView.
  function correctDataView(DataView) {
    var prototype = DataView.prototype;
    var getUint32 = prototype.getUint32;
    var setUint32 = prototype.setUint32;

    function add(type, read) {
      define(prototype, 'get' + type, function (offset, little) {
        var at = Math.trunc(+offset) || 0;
        var high = call(read, this, little ? at + 4 : at, little);
        return (BigInt(high) << BigInt(32)) | BigInt(call(getUint32, this, little ? at : at + 4, little));
      });
      define(prototype, 'set' + type, function (offset, value, little) {
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
    }

    add('BigInt64', prototype.getInt32);
    add('BigUint64', getUint32);
  }

  // Rhino's own function fails where the length is no "int". The limit is that of Node.js.
  function padding(replaced, text, length, filler) {
    var wanted = +length;
    if (wanted > 0x1fffffe8 && filler !== '') {
      throw new RangeError('Invalid string length');
    }
    return call(replaced, text, wanted, filler);
  }

  function padStart(replaced) {
    return function padStart(length, filler) {
      return padding(replaced, this, length, filler);
    };
  }

  function padEnd(replaced) {
    return function padEnd(length, filler) {
      return padding(replaced, this, length, filler);
    };
  }

  // A promise of what a list of promises settles to: "settle" gets each of them, a function that keeps
  // a result at its place, and the one that resolves the promise; "end" gets what was kept in the end.
  function combined(Kind, values, settle, end) {
    return new Kind(function (resolve, reject) {
      var results = [];
      var left = 1;
      function done() {
        left -= 1;
        if (left === 0) {
          end(results, resolve, reject);
        }
      }
      if (typeof Object(values)[Symbol.iterator] !== 'function') {
        throw new TypeError(typeof values + ' is not iterable');
      }
      Array.from(values, function (value, index) {
        left += 1;
        settle(Kind.resolve(value), function (result) {
          results[index] = result;
          done();
        }, resolve);
      });
      done();
    });
  }

  // Rhino's own function gives the status " rejected".
  function allSettled() {
    return function allSettled(values) {
      return combined(this, values, function (promise, keep) {
        promise.then(
            function (kept) { keep({ status: 'fulfilled', value: kept }); },
            function (reason) { keep({ status: 'rejected', reason: reason }); });
      }, function (results, resolve) { resolve(results); });
    };
  }

  // The error of Rhino's own function has no message.
  function any() {
    return function any(values) {
      return combined(this, values, function (promise, keep, resolve) {
        promise.then(resolve, keep);
      }, function (errors, resolve, reject) {
        reject(new AggregateError(errors, 'All promises were rejected'));
      });
    };
  }

  return {
    Reflect: correctReflect,
    DataView: correctDataView,
    hasOwn: hasOwn,
    padStart: padStart,
    padEnd: padEnd,
    allSettled: allSettled,
    any: any
  };
})
