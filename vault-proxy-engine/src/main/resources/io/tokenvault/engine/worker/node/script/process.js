// What modules of the operator find as "process": nothing of the machine, and the same each time.
(function (host, load) {
  'use strict';

  function nextTick(callback) {
    if (typeof callback !== 'function') {
      var error = new TypeError('The "callback" argument must be of type function. Received ' + load('inspect').received(callback));
      error.code = 'ERR_INVALID_ARG_TYPE';
      throw error;
    }
    var args = Array.prototype.slice.call(arguments, 1);
    host.microtask(function () {
      Reflect.apply(callback, undefined, args);
    });
  }

  function cwd() {
    return '/';
  }

  function emitWarning() {}

  return Object.freeze({
    version: 'v16.20.2',
    versions: Object.freeze({ node: '16.20.2' }),
    platform: 'linux',
    env: Object.freeze({}),
    argv: Object.freeze([]),
    nextTick: Object.freeze(nextTick),
    cwd: Object.freeze(cwd),
    emitWarning: Object.freeze(emitWarning)
  });
})
