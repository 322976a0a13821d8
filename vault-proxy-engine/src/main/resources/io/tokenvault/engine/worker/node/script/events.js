// The module events.
(function (host, load) {
  'use strict';
  var MONITOR = Symbol('events.errorMonitor');

  function EventEmitter() {
    listenersOf(this);
  }

  function listenersOf(emitter) {
    if (!Object.prototype.hasOwnProperty.call(emitter, '_events')) {
      Object.defineProperty(emitter, '_events', { value: new Map(), writable: true });
    }
    return emitter._events;
  }

  function failed(Kind, code, message) {
    var error = new Kind(message);
    error.code = code;
    return error;
  }

  function wrongType(name, expected, value) {
    return load('inspect').wrongArgument(name, expected, value);
  }

  function check(listener) {
    if (typeof listener !== 'function') {
      throw wrongType('listener', 'of type function', listener);
    }
  }

  function checkLimit(count) {
    if (typeof count !== 'number' || !(count >= 0)) {
      throw failed(RangeError, 'ERR_OUT_OF_RANGE', 'The value of "setMaxListeners" is out of range. It must be >= 0. Received ' + load('inspect').inspect(count));
    }
  }

  function aborted(signal) {
    var error = failed(Error, 'ABORT_ERR', 'The operation was aborted');
    error.name = 'AbortError';
    if (signal.reason !== undefined) {
      Object.defineProperty(error, 'cause', { value: signal.reason, writable: true, configurable: true });
    }
    return error;
  }

  function signalOf(options) {
    var signal = options && options.signal;
    if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
      throw wrongType('options.signal', 'an instance of AbortSignal', signal);
    }
    if (signal && signal.aborted) {
      throw aborted(signal);
    }
    return signal;
  }

  function add(emitter, name, listener, first) {
    check(listener);
    var events = listenersOf(emitter);
    if (events.has('newListener')) {
      emitter.emit('newListener', name, listener.listener || listener);
    }
    var list = (events.get(name) || []).slice();
    list[first ? 'unshift' : 'push'](listener);
    events.set(name, list);
    return emitter;
  }

  function once(emitter, name, listener) {
    check(listener);
    function wrapped() {
      emitter.removeListener(name, wrapped);
      return listener.apply(emitter, arguments);
    }
    wrapped.listener = listener;
    return wrapped;
  }

  var proto = EventEmitter.prototype;
  proto.on = proto.addListener = function (name, listener) {
    return add(this, name, listener, false);
  };
  proto.prependListener = function (name, listener) {
    return add(this, name, listener, true);
  };
  // Subclasses such as streams override "on".
  proto.once = function (name, listener) {
    return this.on(name, once(this, name, listener));
  };
  proto.prependOnceListener = function (name, listener) {
    return this.prependListener(name, once(this, name, listener));
  };
  proto.off = proto.removeListener = function (name, listener) {
    check(listener);
    var events = listenersOf(this);
    var list = events.get(name) || [];
    for (var i = list.length - 1; i >= 0; i--) {
      if (list[i] === listener || list[i].listener === listener) {
        var rest = list.slice(0, i).concat(list.slice(i + 1));
        if (rest.length) {
          events.set(name, rest);
        } else {
          events.delete(name);
        }
        if (events.has('removeListener')) {
          this.emit('removeListener', name, list[i].listener || listener);
        }
        break;
      }
    }
    return this;
  };
  proto.removeAllListeners = function (name) {
    var emitter = this;
    var events = listenersOf(emitter);
    if (!events.has('removeListener')) {
      if (arguments.length) {
        events.delete(name);
      } else {
        events.clear();
      }
      return emitter;
    }
    if (arguments.length === 0) {
      emitter.eventNames().forEach(function (each) {
        if (each !== 'removeListener') {
          emitter.removeAllListeners(each);
        }
      });
      return emitter.removeAllListeners('removeListener');
    }
    emitter.rawListeners(name).reverse().forEach(function (listener) {
      emitter.removeListener(name, listener);
    });
    return emitter;
  };
  proto.emit = function (name) {
    var list = listenersOf(this).get(name) || [];
    var args = Array.prototype.slice.call(arguments, 1);
    if (name === 'error' && listenersOf(this).has(MONITOR)) {
      this.emit.apply(this, [MONITOR].concat(args));
    }
    if (name === 'error' && list.length === 0) {
      throw unhandled(args[0]);
    }
    for (var i = 0; i < list.length; i++) {
      list[i].apply(this, args);
    }
    return list.length > 0;
  };

  function unhandled(error) {
    if (error instanceof Error) {
      return error;
    }
    var made = new Error('Unhandled error. (' + load('inspect').inspect(error) + ')');
    made.code = 'ERR_UNHANDLED_ERROR';
    made.context = error;
    return made;
  }

  proto.listeners = function (name) {
    return this.rawListeners(name).map(function (listener) {
      return listener.listener || listener;
    });
  };
  proto.rawListeners = function (name) {
    return (listenersOf(this).get(name) || []).slice();
  };
  proto.listenerCount = function (name) {
    return (listenersOf(this).get(name) || []).length;
  };
  proto.eventNames = function () {
    return Array.from(listenersOf(this).keys());
  };
  proto.setMaxListeners = function setMaxListeners(count) {
    checkLimit(count);
    Object.defineProperty(this, '_maxListeners', { value: count, writable: true, configurable: true });
    return this;
  };
  proto.getMaxListeners = function getMaxListeners() {
    return this._maxListeners === undefined ? EventEmitter.defaultMaxListeners : this._maxListeners;
  };

  function isTarget(value) {
    return value !== null && typeof value === 'object' && typeof value.addEventListener === 'function';
  }

  function attach(emitter, name, listener, onlyOnce) {
    if (typeof emitter.on === 'function') {
      emitter[onlyOnce ? 'once' : 'on'](name, listener);
    } else if (isTarget(emitter)) {
      emitter.addEventListener(name, listener, { once: onlyOnce });
    } else {
      throw wrongType('emitter', 'an instance of EventEmitter', emitter);
    }
  }

  function detach(emitter, name, listener) {
    if (typeof emitter.removeListener === 'function') {
      emitter.removeListener(name, listener);
    } else {
      emitter.removeEventListener(name, listener);
    }
  }

  // Resolves to the arguments of the next event.
  function next(emitter, name, options) {
    return new Promise(function (resolve, reject) {
      var signal = signalOf(options);

      function end() {
        detach(emitter, name, received);
        if (typeof emitter.removeListener === 'function') {
          emitter.removeListener('error', thrown);
        }
        if (signal) {
          signal.removeEventListener('abort', abort);
        }
      }
      function received() {
        end();
        resolve(Array.prototype.slice.call(arguments));
      }
      function thrown(error) {
        end();
        reject(error);
      }
      function abort() {
        end();
        reject(aborted(signal));
      }
      attach(emitter, name, received, true);
      if (name !== 'error' && typeof emitter.once === 'function') {
        emitter.once('error', thrown);
      }
      if (signal) {
        signal.addEventListener('abort', abort, { once: true });
      }
    });
  }

  // An iterator of the arguments of all events from now on.
  function all(emitter, name, options) {
    var signal = signalOf(options);
    var values = [];
    var waiting = [];
    var failure = null;
    var over = false;

    function received() {
      var args = Array.prototype.slice.call(arguments);
      if (waiting.length) {
        waiting.shift().resolve({ value: args, done: false });
      } else {
        values.push(args);
      }
    }
    function thrown(error) {
      over = true;
      if (waiting.length) {
        waiting.shift().reject(error);
      } else {
        failure = { error: error };
      }
      end();
    }
    function abort() {
      thrown(aborted(signal));
    }
    function end() {
      over = true;
      detach(emitter, name, received);
      if (name !== 'error') {
        detach(emitter, 'error', thrown);
      }
      if (signal) {
        signal.removeEventListener('abort', abort);
      }
      waiting.splice(0).forEach(function (each) {
        each.resolve({ value: undefined, done: true });
      });
    }

    var iterator = {
      next: function () {
        if (values.length) {
          return Promise.resolve({ value: values.shift(), done: false });
        }
        if (failure) {
          var error = failure.error;
          failure = null;
          return Promise.reject(error);
        }
        return over ? Promise.resolve({ value: undefined, done: true }) : new Promise(function (resolve, reject) {
          waiting.push({ resolve: resolve, reject: reject });
        });
      },
      return: function () {
        end();
        return Promise.resolve({ value: undefined, done: true });
      },
      throw: function (error) {
        thrown(error);
        return Promise.resolve({ value: undefined, done: true });
      }
    };
    iterator[Symbol.asyncIterator] = function () {
      return this;
    };
    attach(emitter, name, received, false);
    if (name !== 'error' && typeof emitter.on === 'function') {
      emitter.on('error', thrown);
    }
    if (signal) {
      signal.addEventListener('abort', abort, { once: true });
    }
    return iterator;
  }

  EventEmitter.defaultMaxListeners = 10;
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.errorMonitor = MONITOR;
  EventEmitter.captureRejectionSymbol = Symbol.for('nodejs.rejection');
  EventEmitter.captureRejections = false;
  EventEmitter.usingDomains = false;
  EventEmitter.once = next;
  EventEmitter.on = all;
  EventEmitter.listenerCount = function listenerCount(emitter, name) {
    return emitter.listenerCount(name);
  };
  EventEmitter.getEventListeners = function getEventListeners(emitter, name) {
    if (typeof emitter.listeners === 'function') {
      return emitter.listeners(name);
    }
    if (!isTarget(emitter)) {
      throw wrongType('emitter', 'an instance of EventEmitter or EventTarget', emitter);
    }
    return emitter._listeners.filter(function (entry) {
      return entry.type === name;
    }).map(function (entry) {
      return entry.listener;
    });
  };
  EventEmitter.setMaxListeners = function setMaxListeners(count) {
    checkLimit(count);
    var emitters = Array.prototype.slice.call(arguments, 1);
    if (emitters.length === 0) {
      EventEmitter.defaultMaxListeners = count;
    }
    emitters.forEach(function (emitter) {
      if (typeof emitter.setMaxListeners === 'function') {
        emitter.setMaxListeners(count);
      }
    });
  };
  return EventEmitter;
})
