// The global performance: a clock in milliseconds from its first use.
(function (host, load) {
  'use strict';
  var time = Date.now;
  var origin = time();

  function now() {
    return time() - origin;
  }

  return { performance: { now: now, get timeOrigin() { return origin; } } };
})
