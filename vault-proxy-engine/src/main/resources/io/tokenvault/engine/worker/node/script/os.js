// The module os: constants, and fixed values that say nothing about the machine.
(function (host, load) {
  'use strict';

  function always(value) {
    return function () {
      return value;
    };
  }

  function frozen(names, numbers) {
    var made = {};
    names.split(' ').forEach(function (name, index) {
      made[name] = numbers[index];
    });
    return Object.freeze(made);
  }

  var signals = frozen(
      'SIGHUP SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGIOT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM SIGTERM',
      [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  var errno = frozen(
      'EPERM ENOENT EIO EBADF EAGAIN ENOMEM EACCES EBUSY EEXIST EINVAL EPIPE ERANGE ENOSYS ECONNABORTED ECONNRESET ETIMEDOUT ECONNREFUSED EHOSTUNREACH',
      [1, 2, 5, 9, 11, 12, 13, 16, 17, 22, 32, 34, 38, 103, 104, 110, 111, 113]);
  var os = {
    arch: always('x64'),
    cpus: function cpus() {
      return [];
    },
    endianness: always('LE'),
    freemem: always(0),
    homedir: always('/'),
    hostname: always('localhost'),
    loadavg: function loadavg() {
      return [0, 0, 0];
    },
    networkInterfaces: function networkInterfaces() {
      return {};
    },
    platform: always('linux'),
    release: always('5.0.0'),
    tmpdir: always('/tmp'),
    totalmem: always(0),
    type: always('Linux'),
    uptime: always(0),
    version: always(''),
    EOL: '\n',
    devNull: '/dev/null',
    constants: Object.freeze({ errno: errno, signals: signals })
  };
  ['getPriority', 'setPriority', 'userInfo'].forEach(function (name) {
    os[name] = load('define').unavailable('os.' + name);
  });
  return os;
})
