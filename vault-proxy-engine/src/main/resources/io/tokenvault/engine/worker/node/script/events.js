// The module events.
(function (host, load) {
  'use strict';

  function EventEmitter() {
    listenersOf(this);
  }

  function listenersOf(emitter) {
    if (!Object.prototype.hasOwnProperty.call(emitter, '_events')) {
      Object.defineProperty(emitter, '_events', { value: new Map(), writable: true });
    }
    return emitter._events;
  }

  function check(listener) {
    if (typeof listener !== 'function') {
      var error = new TypeError('The "listener" argument must be of type function. Received ' + load('inspect').received(listener));
      error.code = 'ERR_INVALID_ARG_TYPE';
      throw error;
    }
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
  proto.once = function (name, listener) {
    return add(this, name, once(this, name, listener), false);
  };
  proto.prependOnceListener = function (name, listener) {
    return add(this, name, once(this, name, listener), true);
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
          this.emit('removeListener', name, listener);
        }
        break;
      }
    }
    return this;
  };
  proto.removeAllListeners = function (name) {
    if (arguments.length) {
      listenersOf(this).delete(name);
    } else {
      listenersOf(this).clear();
    }
    return this;
  };
  proto.emit = function (name) {
    var list = listenersOf(this).get(name) || [];
    var args = Array.prototype.slice.call(arguments, 1);
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
  proto.setMaxListeners = function () {
    return this;
  };
  proto.getMaxListeners = function () {
    return EventEmitter.defaultMaxListeners;
  };

  EventEmitter.defaultMaxListeners = 10;
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.once = function (emitter, name) {
    return new Promise(function (resolve, reject) {
      function kept() {
        emitter.removeListener('error', failed);
        resolve(Array.prototype.slice.call(arguments));
      }
      function failed(error) {
        emitter.removeListener(name, kept);
        reject(error);
      }
      emitter.once(name, kept);
      if (name !== 'error') {
        emitter.once('error', failed);
      }
    });
  };
  return EventEmitter;
})
