// WeakRef and FinalizationRegistry. Nothing is collected before the invocation ends, as the language permits.
(function (host, load) {
  'use strict';
  var hide = load('define').hide;
  var needsNew = load('define').needsNew;

  function isObject(value) {
    return typeof value === 'function' || typeof value === 'object' && value !== null;
  }

  function WeakRef(target) {
    needsNew(this, WeakRef, 'WeakRef');
    if (!isObject(target)) {
      throw new TypeError('WeakRef: target must be an object');
    }
    hide(this, '_target', target);
  }
  hide(WeakRef.prototype, 'deref', function deref() { return this._target; });
  hide(WeakRef.prototype, Symbol.toStringTag, 'WeakRef');

  function FinalizationRegistry(cleanup) {
    needsNew(this, FinalizationRegistry, 'FinalizationRegistry');
    if (typeof cleanup !== 'function') {
      throw new TypeError('FinalizationRegistry: cleanup must be callable');
    }
    hide(this, '_tokens', new WeakSet());
  }
  hide(FinalizationRegistry.prototype, 'register', function register(target, held, token) {
    if (!isObject(target)) {
      throw new TypeError('FinalizationRegistry.prototype.register: invalid target');
    }
    if (target === held) {
      throw new TypeError('FinalizationRegistry.prototype.register: target and holdings must not be same');
    }
    if (token !== undefined) {
      this._tokens.add(token);
    }
  });
  hide(FinalizationRegistry.prototype, 'unregister', function unregister(token) {
    if (!isObject(token)) {
      throw new TypeError("Invalid unregisterToken ('" + String(token) + "')");
    }
    return this._tokens.delete(token);
  });
  hide(FinalizationRegistry.prototype, Symbol.toStringTag, 'FinalizationRegistry');

  return { WeakRef: WeakRef, FinalizationRegistry: FinalizationRegistry };
})
