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
module.exports = function () {
  var e = new EventEmitter();
  var kept = EventEmitter.once(e, 'ready');
  e.emit('ready', 1, 2);
  var e2 = new EventEmitter();
  var failed = EventEmitter.once(e2, 'ready').catch(function (error) { return 'failed ' + error.message; });
  e2.emit('error', new Error('no'));
  return Promise.all([kept, failed]).then(function (all) {
    results.once = all;
    return { body: results };
  });
};
