var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var EventEmitter = require('events');
check('order of listeners', function () {
  var e = new EventEmitter();
  var seen = [];
  e.on('x', function (a, b) { seen.push('on' + a + b + (this === e)); });
  e.prependListener('x', function () { seen.push('first'); });
  e.once('x', function () { seen.push('once'); });
  return [e.emit('x', 1, 2), e.emit('x', 3, 4), e.emit('none'), seen];
});
check('removal', function () {
  var e = new EventEmitter();
  function f() {}
  e.on('x', f).on('x', f).once('x', f);
  var before = e.listenerCount('x');
  e.off('x', f);
  var after = e.listenerCount('x');
  e.removeAllListeners('x');
  return [before, after, e.listenerCount('x'), e.eventNames()];
});
check('removal while emitting', function () {
  var e = new EventEmitter();
  var seen = [];
  function second() { seen.push('second'); }
  e.on('x', function () { seen.push('first'); e.off('x', second); });
  e.on('x', second);
  e.emit('x');
  e.emit('x');
  return seen;
});
check('error without listener', function () {
  new EventEmitter().emit('error', new RangeError('boom'));
});
check('error that is none', function () {
  new EventEmitter().emit('error', { a: 1 });
});
check('listener must be a function', function () {
  new EventEmitter().on('x', 5);
});
check('newListener', function () {
  var e = new EventEmitter();
  var seen = [];
  e.on('newListener', function (name) { seen.push(name); });
  e.on('a', function () {});
  e.once('b', function () {});
  return seen;
});
check('subclass', function () {
  function Sub() { EventEmitter.call(this); }
  require('util').inherits(Sub, EventEmitter);
  var s = new Sub();
  var got;
  s.on('x', function (v) { got = v; });
  s.emit('x', 7);
  return [got, s instanceof EventEmitter, EventEmitter.EventEmitter === EventEmitter, EventEmitter.defaultMaxListeners];
});
check('symbols', function () {
  var e = new EventEmitter();
  var s = Symbol('s');
  var n = 0;
  e.on(s, function () { n++; });
  e.emit(s);
  return [n, e.eventNames()[0] === s, e.listeners(s).length, e.rawListeners(s).length];
});
check('limits', function () {
  var e = new EventEmitter();
  return [e.getMaxListeners(), e.setMaxListeners(3) === e, e.getMaxListeners()];
});
check('limit that is none', function () {
  new EventEmitter().setMaxListeners(-1);
});
check('statics', function () {
  var e = new EventEmitter();
  function f() {}
  e.on('x', f);
  return [EventEmitter.listenerCount(e, 'x'), EventEmitter.getEventListeners(e, 'x')[0] === f, String(EventEmitter.errorMonitor),
    String(EventEmitter.captureRejectionSymbol), EventEmitter.captureRejections, require('node:events') === EventEmitter];
});
check('monitor of errors', function () {
  var e = new EventEmitter();
  var seen = [];
  e.on(EventEmitter.errorMonitor, function (error) { seen.push('monitor ' + error.message); });
  e.on('error', function (error) { seen.push('listener ' + error.message); });
  e.emit('error', new Error('x'));
  return seen;
});
check('monitor does not handle', function () {
  var e = new EventEmitter();
  e.on(EventEmitter.errorMonitor, function () {});
  e.emit('error', new Error('unhandled'));
});
check('removal is told', function () {
  var e = new EventEmitter();
  var seen = [];
  e.on('removeListener', function (name) { seen.push(name); });
  e.on('a', function () {}).once('b', function () {}).on('b', function () {});
  e.removeAllListeners('b');
  e.removeAllListeners();
  return [seen, e.eventNames()];
});
check('subclass that overrides on', function () {
  function Sub() { EventEmitter.call(this); }
  require('util').inherits(Sub, EventEmitter);
  var seen = [];
  Sub.prototype.on = function (name, listener) {
    seen.push(name);
    return EventEmitter.prototype.on.call(this, name, listener);
  };
  new Sub().once('x', function () {});
  return seen;
});
check('without new', function () {
  var plain = {};
  EventEmitter.call(plain);
  Object.assign(plain, EventEmitter.prototype);
  var got;
  plain.on('x', function (v) { got = v; });
  plain.emit('x', 5);
  return got;
});
module.exports = function () {
  var e = new EventEmitter();
  var kept = EventEmitter.once(e, 'ready');
  e.emit('ready', 1, 2);
  var e2 = new EventEmitter();
  var failed = EventEmitter.once(e2, 'ready').catch(function (error) { return 'failed ' + error.message; });
  e2.emit('error', new Error('no'));
  var controller = new AbortController();
  var stopped = EventEmitter.once(new EventEmitter(), 'never', { signal: controller.signal }).catch(function (error) {
    return [error.name, error.code, error.message];
  });
  controller.abort();
  var e3 = new EventEmitter();
  var iterator = EventEmitter.on(e3, 'x');
  e3.emit('x', 1);
  e3.emit('x', 2, 3);
  var iterated = iterator.next().then(function (first) {
    return iterator.next().then(function (second) {
      var third = iterator.next();
      e3.emit('error', new Error('ends'));
      return third.catch(function (error) { return error.message; }).then(function (text) {
        return iterator.next().then(function (last) { return [first, second, text, last.done, e3.listenerCount('x')]; });
      });
    });
  });
  var target = new EventTarget();
  var dispatched = EventEmitter.once(target, 'x').then(function (args) { return args[0].type; });
  target.dispatchEvent(new Event('x'));
  return Promise.all([kept, failed, stopped, iterated, dispatched]).then(function (all) {
    results.once = all;
    return { body: results };
  });
};
