// Timers, as the loop of the invocation runs them.
(function (host, load) {
  'use strict';

  function check(callback) {
    if (typeof callback !== 'function') {
      throw load('inspect').wrongArgument('callback', 'of type function', callback);
    }
  }

  function Timeout(begin) {
    Object.defineProperty(this, '_begin', { value: begin });
    Object.defineProperty(this, '_number', { value: begin(), writable: true });
    Object.defineProperty(this, '_ref', { value: true, writable: true });
  }
  Timeout.prototype.refresh = function () {
    host.clearTimer(this._number);
    this._number = this._begin();
    return this;
  };
  Timeout.prototype.ref = function () {
    this._ref = true;
    return this;
  };
  Timeout.prototype.unref = function () {
    this._ref = false;
    return this;
  };
  Timeout.prototype.hasRef = function () {
    return this._ref;
  };
  Timeout.prototype.close = function () {
    clear(this);
    return this;
  };
  Timeout.prototype[Symbol.toPrimitive] = function () {
    return this._number;
  };
  function Immediate(begin) {
    Timeout.call(this, begin);
  }
  Immediate.prototype = Object.create(Timeout.prototype, {
    constructor: { value: Immediate, writable: true, configurable: true }
  });

  function start(Type, callback, delay, args, repeats) {
    check(callback);
    var millis = Number(delay);
    var valid = millis >= 1 && millis <= 2147483647;
    var wait = Type === Immediate ? 0 : valid ? Math.trunc(millis) : 1;
    return new Type(function () {
      return host.setTimer(callback, args, wait, repeats);
    });
  }

  function clear(timer) {
    var number = timer instanceof Timeout ? timer._number : Number(timer);
    if (number > 0) {
      host.clearTimer(number);
    }
  }

  function rest(args, from) {
    return Array.prototype.slice.call(args, from);
  }

  var timers = {
    setTimeout: function setTimeout(callback, delay) {
      return start(Timeout, callback, delay, rest(arguments, 2), false);
    },
    clearTimeout: function clearTimeout(timer) {
      clear(timer);
    },
    setImmediate: function setImmediate(callback) {
      return start(Immediate, callback, 0, rest(arguments, 1), false);
    },
    clearImmediate: function clearImmediate(timer) {
      clear(timer);
    },
    setInterval: function setInterval(callback, delay) {
      return start(Timeout, callback, delay, rest(arguments, 2), true);
    },
    clearInterval: function clearInterval(timer) {
      clear(timer);
    }
  };
  Object.defineProperty(timers, 'queueMicrotask', {
    value: function queueMicrotask(callback) {
      check(callback);
      host.microtask(callback);
    }
  });
  ['setTimeout', 'setImmediate'].forEach(function (name) {
    Object.defineProperty(timers[name], Symbol.for('nodejs.util.promisify.custom'), {
      get: function () {
        return load('timers-promises').module[name];
      },
      enumerable: true
    });
  });
  Object.defineProperty(timers, 'promises', {
    get: function () {
      return load('timers-promises').module;
    },
    enumerable: true
  });
  return timers;
})
