// Deep equality, for util and assert: strict as Object.is, or loose as "==".
(function (host, load) {
  'use strict';
  var tagOf = Object.prototype.toString;

  function isEnumerable(value, key) {
    return Object.prototype.propertyIsEnumerable.call(value, key);
  }

  function keysOf(value, strict) {
    return strict ? Object.keys(value).concat(Object.getOwnPropertySymbols(value).filter(function (key) {
      return isEnumerable(value, key);
    })) : Object.keys(value);
  }

  function isObject(value) {
    return value !== null && typeof value === 'object';
  }

  function equal(a, b, strict, memo) {
    if (Object.is(a, b)) {
      return true;
    }
    if (!isObject(a) || !isObject(b)) {
      return !strict && !isObject(a) && !isObject(b) && (a == b || a !== a && b !== b);
    }
    if (strict && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) {
      return false;
    }
    if (tagOf.call(a) !== tagOf.call(b) || host.kind(a) !== host.kind(b) || Array.isArray(a) !== Array.isArray(b)) {
      return false;
    }
    if (memo.get(a) === b) {
      return true;
    }
    memo.set(a, b);
    var same = sameInside(a, b, strict, memo) && sameKeys(a, b, strict, memo);
    memo.delete(a);
    return same;
  }

  function sameKeys(a, b, strict, memo) {
    var keys = keysOf(a, strict);
    return keys.length === keysOf(b, strict).length && keys.every(function (key) {
      return isEnumerable(b, key) && equal(a[key], b[key], strict, memo);
    });
  }

  function sameInside(a, b, strict, memo) {
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
        return equal(new Uint8Array(a), new Uint8Array(b), strict, memo);
      case 'Set':
        return a.size === b.size && samePairs(Array.from(a), Array.from(b), function (item, other) {
          return equal(item, other, strict, memo);
        });
      case 'Map':
        return a.size === b.size && samePairs(Array.from(a), Array.from(b), function (pair, other) {
          return equal(pair[0], other[0], strict, memo) && equal(pair[1], other[1], strict, memo);
        });
      default:
        return Array.isArray(a) ? a.length === b.length : true;
    }
  }

  // Each item has an equal one of its own, in any order.
  function samePairs(items, rest, same) {
    return items.every(function (item) {
      var at = rest.findIndex(function (other) {
        return same(item, other);
      });
      if (at >= 0) {
        rest.splice(at, 1);
      }
      return at >= 0;
    });
  }

  return {
    equal: function (a, b, strict) {
      return equal(a, b, strict, new Map());
    }
  };
})
