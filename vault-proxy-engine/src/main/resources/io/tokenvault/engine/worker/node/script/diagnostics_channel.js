// The module diagnostics_channel: packages announce here what they do; only this invocation can listen.
(function (host, load) {
  'use strict';
  var channels = new Map();
  var PHASES = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

  function Channel(name) {
    this.name = name;
    Object.defineProperty(this, '_subscribers', { value: [], writable: true });
  }
  Object.defineProperty(Channel.prototype, 'hasSubscribers', {
    get: function () {
      return this._subscribers.length > 0;
    },
    configurable: true
  });
  Channel.prototype.subscribe = function (listener) {
    if (typeof listener !== 'function') {
      throw load('inspect').wrongArgument('subscription', 'of type function', listener);
    }
    this._subscribers = this._subscribers.concat([listener]);
  };
  Channel.prototype.unsubscribe = function (listener) {
    var at = this._subscribers.indexOf(listener);
    this._subscribers = this._subscribers.filter(function (each, index) {
      return index !== at;
    });
    return at >= 0;
  };
  Channel.prototype.publish = function (message) {
    var name = this.name;
    this._subscribers.forEach(function (listener) {
      listener(message, name);
    });
  };

  function channel(name) {
    if (!channels.has(name)) {
      channels.set(name, new Channel(name));
    }
    return channels.get(name);
  }

  function TracingChannel(name) {
    var tracing = this;
    PHASES.forEach(function (phase) {
      tracing[phase] = channel('tracing:' + name + ':' + phase);
    });
  }
  Object.defineProperty(TracingChannel.prototype, 'hasSubscribers', {
    get: function () {
      var tracing = this;
      return PHASES.some(function (phase) {
        return tracing[phase].hasSubscribers;
      });
    },
    configurable: true
  });
  TracingChannel.prototype.subscribe = function (listeners) {
    var tracing = this;
    PHASES.forEach(function (phase) {
      if (listeners[phase]) {
        tracing[phase].subscribe(listeners[phase]);
      }
    });
  };
  TracingChannel.prototype.unsubscribe = function (listeners) {
    var tracing = this;
    return PHASES.filter(function (phase) {
      return listeners[phase];
    }).map(function (phase) {
      return tracing[phase].unsubscribe(listeners[phase]);
    }).every(Boolean);
  };

  // Calls the function between "start" and "end".
  function traced(tracing, run, context, self, args) {
    tracing.start.publish(context);
    try {
      context.result = Reflect.apply(run, self, args);
      return context.result;
    } catch (error) {
      context.error = error;
      tracing.error.publish(context);
      throw error;
    } finally {
      tracing.end.publish(context);
    }
  }
  TracingChannel.prototype.traceSync = function (run, context, self) {
    return traced(this, run, context || {}, self, Array.prototype.slice.call(arguments, 3));
  };
  TracingChannel.prototype.tracePromise = function (run, context, self) {
    var tracing = this;
    var about = context || {};
    function settle() {
      tracing.asyncStart.publish(about);
      tracing.asyncEnd.publish(about);
    }
    return Promise.resolve(traced(tracing, run, about, self, Array.prototype.slice.call(arguments, 3))).then(function (value) {
      about.result = value;
      settle();
      return value;
    }, function (error) {
      about.error = error;
      tracing.error.publish(about);
      settle();
      throw error;
    });
  };

  return {
    channel: channel,
    hasSubscribers: function hasSubscribers(name) {
      return channels.has(name) && channels.get(name).hasSubscribers;
    },
    subscribe: function subscribe(name, listener) {
      channel(name).subscribe(listener);
    },
    unsubscribe: function unsubscribe(name, listener) {
      return channel(name).unsubscribe(listener);
    },
    tracingChannel: function tracingChannel(name) {
      return new TracingChannel(name);
    },
    Channel: Channel
  };
})
