var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var order = [];
function note(text) {
  order.push(text);
}
check('callback must be a function', function () {
  setTimeout('code', 1);
});
check('interval must be a function', function () {
  setInterval(null, 1);
});
check('microtask must be a function', function () {
  queueMicrotask();
});
check('clear of nothing', function () {
  clearTimeout();
  clearTimeout(null);
  clearInterval('x');
  clearTimeout(123456);
  return 'fine';
});
check('handles', function () {
  var t = setTimeout(function () {}, 1);
  var seen = [typeof t, t.hasRef(), t.unref() === t, t.hasRef(), t.ref() === t, t.hasRef(), typeof t.refresh, t.constructor.name];
  clearTimeout(t);
  return seen;
});
check('handles are numbers', function () {
  var t = setTimeout(function () { note('never'); }, 1);
  var n = +t;
  clearTimeout(n);
  return n > 0;
});
check('module', function () {
  var timers = require('timers');
  return [timers.setTimeout === setTimeout, timers.clearInterval === clearInterval, typeof timers.setImmediate];
});
module.exports = function () {
  return new Promise(function (resolve) {
    setTimeout(function () { note('first'); Promise.resolve().then(function () { note('reaction'); }); }, 1);
    setTimeout(function (a, b) { note('second ' + a + b); resolve(); }, 1, 1, 2);
    var cleared = setTimeout(function () { note('cleared'); }, 1);
    clearTimeout(cleared);
    queueMicrotask(function () { note('microtask'); });
    Promise.resolve().then(function () { note('then'); });
    note('sync');
  }).then(function () {
    return new Promise(function (resolve) {
      var count = 0;
      var interval = setInterval(function (a) {
        note('interval ' + a + ++count);
        if (count === 3) {
          clearInterval(interval);
          setImmediate(resolve, 'immediate');
        }
      }, 1, 'x');
    });
  }).then(function (value) {
    note(value);
    return new Promise(function (resolve) {
      var timer = setTimeout(function () { note('refreshed'); resolve(); }, 1);
      timer.refresh();
    });
  }).then(function () {
    var timers = require('timers/promises');
    var controller = new AbortController();
    var stopped = timers.setTimeout(1000, 'x', { signal: controller.signal }).catch(function (e) { return e.name + ' ' + e.code + ': ' + e.message; });
    controller.abort();
    var iterator = timers.setInterval(1, 'tick');
    return Promise.all([timers.setTimeout(1, 'late'), timers.setImmediate('soon'), stopped, require('util').promisify(setTimeout)(1, 'promisified'),
      require('timers').promises === timers, iterator.next().then(function (first) {
        return iterator.return().then(function () { return iterator.next(); }).then(function (last) { return [first, last.done]; });
      })]);
  }).then(function (promised) {
    results.promises = promised;
    results.order = order;
    return { body: results };
  });
};
