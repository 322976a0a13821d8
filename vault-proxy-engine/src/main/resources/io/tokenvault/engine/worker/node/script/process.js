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

  // What is written to a stream is a line of the console.
  function stream(fd, level) {
    function write(chunk, encoding, callback) {
      var text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      if (text !== '') {
        host.console(level, text.replace(/\n$/, ''));
      }
      var called = typeof encoding === 'function' ? encoding : callback;
      if (called) {
        nextTick(called);
      }
      return true;
    }
    return Object.freeze({ fd: fd, write: Object.freeze(write) });
  }

  return Object.freeze({
    version: 'v16.20.2',
    versions: Object.freeze({ node: '16.20.2' }),
    platform: 'linux',
    env: Object.freeze({}),
    argv: Object.freeze([]),
    stdout: stream(1, 'log'),
    stderr: stream(2, 'error'),
    nextTick: Object.freeze(nextTick),
    cwd: Object.freeze(cwd),
    emitWarning: Object.freeze(emitWarning)
  });
})
