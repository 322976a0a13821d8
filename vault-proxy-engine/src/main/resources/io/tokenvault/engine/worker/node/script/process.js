// What modules of the operator find as "process": nothing of the machine, and the same each time.
(function (host, load) {
  'use strict';
  var EventEmitter = load('events');

  function nextTick(callback) {
    if (typeof callback !== 'function') {
      throw load('inspect').wrongArgument('callback', 'of type function', callback);
    }
    var args = Array.prototype.slice.call(arguments, 1);
    host.microtask(function () {
      Reflect.apply(callback, undefined, args);
    });
  }

  function setText(env, name, value) {
    env[name] = String(value);
    return true;
  }

  function cwd() {
    return '/';
  }

  function lastFunction(values) {
    return Array.prototype.filter.call(values, function (value) {
      return typeof value === 'function';
    }).pop();
  }

  // What is written to a stream is a line of the console.
  function write(level) {
    return function write(chunk) {
      var callback = lastFunction(arguments);
      if (!this.writable) {
        return failAfterEnd(this, callback);
      }
      var text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      if (text !== '') {
        host.console(level, text.replace(/\n$/, ''));
      }
      if (callback) {
        nextTick(callback);
      }
      return true;
    };
  }

  function failAfterEnd(stream, callback) {
    var error = new Error('write after end');
    error.code = 'ERR_STREAM_WRITE_AFTER_END';
    if (callback) {
      nextTick(callback, error);
    }
    nextTick(stream.emit.bind(stream, 'error', error));
    return false;
  }

  function end(chunk, encoding) {
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') {
      this.write(chunk, encoding);
    }
    var callback = lastFunction(arguments);
    if (callback) {
      nextTick(callback);
    }
    if (this.writable) {
      this.writable = false;
      nextTick(this.emit.bind(this, 'finish'));
    }
    return this;
  }

  function nothing() {}

  function stream(fd, level) {
    return Object.assign(new EventEmitter(), { fd: fd, writable: true, write: write(level), end: end, cork: nothing, uncork: nothing });
  }

  // Packages can add listeners, although the process emits no event.
  return Object.assign(new EventEmitter(), {
    version: 'v16.20.2',
    versions: { node: '16.20.2' },
    title: 'node',
    platform: 'linux',
    arch: 'x64',
    pid: 1,
    env: new Proxy({}, { set: setText }),
    argv: [],
    stdout: stream(1, 'log'),
    stderr: stream(2, 'error'),
    nextTick: nextTick,
    cwd: cwd,
    emitWarning: nothing
  });
})
