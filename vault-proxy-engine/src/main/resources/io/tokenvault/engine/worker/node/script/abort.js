// Event, EventTarget, DOMException, AbortController and AbortSignal.
(function (host, load) {
  'use strict';
  var CODES = {
    InvalidCharacterError: 5, NotSupportedError: 9, SyntaxError: 12, InvalidAccessError: 15,
    TypeMismatchError: 17, AbortError: 20, QuotaExceededError: 22, TimeoutError: 23, DataCloneError: 25
  };
  var define = load('define');
  var hide = define.hide;
  var creating = false;

  function DOMException(message, options) {
    var error = new Error(message === undefined ? '' : String(message));
    var name = options !== null && typeof options === 'object' ? options.name : options;
    Object.setPrototypeOf(error, DOMException.prototype);
    hide(error, 'name', name === undefined ? 'Error' : String(name));
    hide(error, 'code', CODES[error.name] || 0);
    return error;
  }
  DOMException.prototype = Object.create(Error.prototype);
  hide(DOMException.prototype, 'constructor', DOMException);
  hide(DOMException.prototype, Symbol.toStringTag, 'DOMException');

  function Event(type, init) {
    if (arguments.length === 0) {
      throw new TypeError('The "type" argument must be specified');
    }
    this.type = String(type);
    this.cancelable = !!(init && init.cancelable);
    this.defaultPrevented = false;
    this.target = null;
    this.currentTarget = null;
    this.timeStamp = Date.now();
  }
  Event.prototype.preventDefault = function () {
    this.defaultPrevented = this.cancelable;
  };
  Event.prototype.stopPropagation = function () {};
  Event.prototype.stopImmediatePropagation = function () {
    hide(this, '_stopped', true);
  };

  function EventTarget() {
    hide(this, '_listeners', []);
  }
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    var known = this._listeners.some(function (entry) {
      return entry.type === type && entry.listener === listener;
    });
    if (!known && listener) {
      this._listeners.push({ type: String(type), listener: listener, once: !!(options && options.once) });
    }
  };
  EventTarget.prototype.removeEventListener = function (type, listener) {
    this._listeners = this._listeners.filter(function (entry) {
      return entry.type !== type || entry.listener !== listener;
    });
  };
  EventTarget.prototype.dispatchEvent = function (event) {
    var target = this;
    event.target = event.currentTarget = target;
    if (typeof target['on' + event.type] === 'function') {
      target['on' + event.type](event);
    }
    target._listeners.slice().forEach(function (entry) {
      if (entry.type !== event.type || event._stopped) {
        return;
      }
      if (entry.once) {
        target.removeEventListener(entry.type, entry.listener);
      }
      if (typeof entry.listener === 'function') {
        entry.listener.call(target, event);
      } else {
        entry.listener.handleEvent(event);
      }
    });
    return !event.defaultPrevented;
  };

  function AbortSignal() {
    if (!creating) {
      throw new TypeError('Illegal constructor');
    }
    EventTarget.call(this);
    hide(this, '_aborted', false);
    hide(this, '_reason', undefined);
    hide(this, 'onabort', null);
  }
  AbortSignal.prototype = Object.create(EventTarget.prototype);
  hide(AbortSignal.prototype, 'constructor', AbortSignal);
  hide(AbortSignal.prototype, Symbol.toStringTag, 'AbortSignal');
  define.getter(AbortSignal, 'aborted', function () {
    return this._aborted;
  });
  define.getter(AbortSignal, 'reason', function () {
    return this._reason;
  });
  AbortSignal.prototype.throwIfAborted = function () {
    if (this._aborted) {
      throw this._reason;
    }
  };

  hide(AbortSignal.prototype, Symbol.for('nodejs.util.inspect.custom'), function () {
    return 'AbortSignal { aborted: ' + this._aborted + ' }';
  });

  function signal() {
    creating = true;
    try {
      return new AbortSignal();
    } finally {
      creating = false;
    }
  }

  function abort(target, reason) {
    if (!target._aborted) {
      target._aborted = true;
      target._reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
      target.dispatchEvent(new Event('abort'));
    }
  }

  AbortSignal.abort = function (reason) {
    var made = signal();
    abort(made, reason);
    return made;
  };
  AbortSignal.any = function any(signals) {
    var made = signal();
    Array.from(signals).forEach(function (each, index) {
      if (!(each instanceof AbortSignal)) {
        throw new TypeError('The "signals[' + index + ']" argument must be an instance of AbortSignal');
      }
      if (each._aborted) {
        abort(made, each._reason);
      }
      each.addEventListener('abort', function () {
        abort(made, each._reason);
      });
    });
    return made;
  };
  AbortSignal.timeout = function (millis) {
    var made = signal();
    load('timers').setTimeout(function () {
      abort(made, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }, millis);
    return made;
  };

  function AbortController() {
    define.needsNew(this, AbortController, 'AbortController');
    hide(this, '_signal', signal());
  }
  define.getter(AbortController, 'signal', function () {
    return this._signal;
  });
  AbortController.prototype.abort = function (reason) {
    abort(this._signal, reason);
  };
  hide(AbortController.prototype, Symbol.toStringTag, 'AbortController');

  // Packages test for it; nothing here has an instance.
  function MessagePort() {
    throw new TypeError('Illegal constructor');
  }
  MessagePort.prototype = Object.create(EventTarget.prototype);
  hide(MessagePort.prototype, 'constructor', MessagePort);

  return {
    AbortController: AbortController,
    AbortSignal: AbortSignal,
    DOMException: DOMException,
    Event: Event,
    EventTarget: EventTarget,
    MessagePort: MessagePort
  };
})
