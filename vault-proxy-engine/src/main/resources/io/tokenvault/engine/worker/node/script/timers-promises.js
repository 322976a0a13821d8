// The module timers/promises.
(function (host, load) {
  'use strict';
  var timers = load('timers');

  function aborted(signal) {
    var error = new Error('The operation was aborted');
    error.name = 'AbortError';
    error.code = 'ABORT_ERR';
    Object.defineProperty(error, 'cause', { value: signal.reason, writable: true, configurable: true });
    return error;
  }

  // Resolves when "start" calls back, unless the signal comes before.
  function promised(start, clear, options) {
    var signal = options && options.signal;
    return new Promise(function (resolve, reject) {
      if (signal && signal.aborted) {
        reject(aborted(signal));
        return;
      }
      function abort() {
        clear(timer);
        reject(aborted(signal));
      }
      var timer = start(function (value) {
        if (signal) {
          signal.removeEventListener('abort', abort);
        }
        resolve(value);
      });
      if (signal) {
        signal.addEventListener('abort', abort, { once: true });
      }
    });
  }

  function setTimeout(delay, value, options) {
    return promised(function (resolve) {
      return timers.setTimeout(resolve, delay, value);
    }, timers.clearTimeout, options);
  }

  function setImmediate(value, options) {
    return promised(function (resolve) {
      return timers.setImmediate(resolve, value);
    }, timers.clearImmediate, options);
  }

  function setInterval(delay, value, options) {
    var over = false;
    var iterator = {
      next: function () {
        return over ? Promise.resolve({ value: undefined, done: true }) : setTimeout(delay, value, options).then(function () {
          return { value: value, done: false };
        });
      },
      return: function () {
        over = true;
        return Promise.resolve({ value: undefined, done: true });
      }
    };
    iterator[Symbol.asyncIterator] = function () {
      return this;
    };
    return iterator;
  }

  return {
    module: {
      setTimeout: setTimeout,
      setImmediate: setImmediate,
      setInterval: setInterval,
      scheduler: {
        wait: function wait(delay, options) {
          return setTimeout(delay, undefined, options);
        },
        yield: function () {
          return setImmediate();
        }
      }
    }
  };
})
