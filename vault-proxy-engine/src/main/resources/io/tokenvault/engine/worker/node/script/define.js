// What several scripts define in the same way.
(function () {
  'use strict';

  function hide(object, name, value) {
    Object.defineProperty(object, name, { value: value, writable: true, configurable: true });
  }

  function getter(Type, name, get) {
    Object.defineProperty(Type.prototype, name, { get: get, enumerable: true, configurable: true });
  }

  function needsNew(object, Type, name) {
    if (!(object instanceof Type)) {
      throw new TypeError('Class constructor ' + name + " cannot be invoked without 'new'");
    }
  }

  // Returns a function that throws.
  function unavailable(name, hint) {
    return function () {
      var error = new Error(name + ' is not available in a transform' + (hint || ''));
      error.code = 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM';
      throw error;
    };
  }

  return { hide: hide, getter: getter, needsNew: needsNew, unavailable: unavailable };
})
