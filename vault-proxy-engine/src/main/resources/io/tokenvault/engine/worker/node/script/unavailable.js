// Modules of Node.js that give access to files, sockets, processes or the engine, as modules of the
// operator find them: packages load that use them for some of their functions only. There is nothing
// behind the names; whatever is called says so.
(function (host, load) {
  'use strict';
  var EventEmitter = load('events');

  var FILES = 'access appendFile chmod chown copyFile cp lchmod lchown link lstat lutimes mkdir mkdtemp open opendir'
      + ' readFile readdir readlink realpath rename rm rmdir stat statfs symlink truncate unlink utimes writeFile';
  var NAMES = 'lookup lookupService resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx resolveNaptr'
      + ' resolveNs resolvePtr resolveSoa resolveSrv resolveTxt reverse setServers getServers';

  // The functions and the classes of each module.
  var MODULES = {
    'async_hooks': ['createHook executionAsyncId executionAsyncResource triggerAsyncId', 'AsyncLocalStorage AsyncResource'],
    'child_process': ['exec execFile execFileSync execSync fork spawn spawnSync', 'ChildProcess'],
    'cluster': ['disconnect fork setupMaster setupPrimary', 'Worker'],
    'constants': ['', ''],
    'dgram': ['createSocket', 'Socket'],
    'dns': [NAMES, 'Resolver'],
    'dns/promises': [NAMES, 'Resolver'],
    'fs': [
      FILES + ' ' + FILES.split(' ').join('Sync ') + 'Sync close closeSync createReadStream createWriteStream exists existsSync'
          + ' fchmod fchmodSync fchown fchownSync fdatasync fdatasyncSync fstat fstatSync fsync fsyncSync ftruncate ftruncateSync'
          + ' futimes futimesSync openSync read readSync readv readvSync unwatchFile watch watchFile write writeSync writev writevSync',
      'Dir Dirent ReadStream Stats WriteStream'
    ],
    'fs/promises': [FILES + ' watch', ''],
    'http2': ['connect createSecureServer createServer', 'Http2ServerRequest Http2ServerResponse'],
    'inspector': ['close open url', 'Session'],
    'module': ['findSourceMap syncBuiltinESMExports', 'Module SourceMap'],
    'net': ['connect createConnection createServer', 'BlockList Server Socket SocketAddress Stream'],
    'perf_hooks': ['createHistogram monitorEventLoopDelay', 'PerformanceObserver'],
    'readline': ['clearLine clearScreenDown createInterface cursorTo emitKeypressEvents moveCursor', 'Interface'],
    'tls': ['checkServerIdentity connect createSecureContext createServer getCiphers', 'SecureContext Server TLSSocket'],
    'v8': ['deserialize getHeapStatistics serialize setFlagsFromString', 'Deserializer Serializer'],
    'vm': ['compileFunction createContext isContext runInContext runInNewContext runInThisContext', 'Script'],
    'worker_threads': ['getEnvironmentData receiveMessageOnPort setEnvironmentData', 'BroadcastChannel MessageChannel Worker']
  };
  var OF_NETWORK = /^(dgram|dns|dns\/promises|http2|net|tls)$/;

  function unavailable(module, name) {
    return load('define').unavailable(module + '.' + name, OF_NETWORK.test(module) ? ': use fetch' : '');
  }

  // A class that code may extend and test for, but of which nothing has an instance.
  function absent(module, name) {
    var type = unavailable(module, name);
    Object.setPrototypeOf(type.prototype, EventEmitter.prototype);
    return type;
  }

  function each(names, add) {
    if (names !== '') {
      names.split(' ').forEach(add);
    }
  }

  var known = Object.create(null);

  function module(name, require) {
    if (known[name] && name !== 'module') {
      return known[name];
    }
    var made = known[name] = {};
    each(MODULES[name][0], function (each) {
      var call = unavailable(name, each);
      made[each] = /promises$/.test(name) ? function () { return new Promise(call); } : call;
    });
    each(MODULES[name][1], function (each) {
      made[each] = absent(name, each);
    });
    if (name === 'fs' || name === 'dns') {
      made.promises = module(name + '/promises');
    }
    if (name === 'fs' || name === 'http2') {
      made.constants = {};
    }
    if (name === 'constants') {
      var os = load('os').constants;
      Object.assign(made, os.errno, os.signals, require('crypto').constants);
    }
    if (name === 'module') {
      // Modules pass their own path, and thus ask for their own "require".
      made.createRequire = function createRequire() {
        return require;
      };
    }
    if (name === 'perf_hooks') {
      made.performance = load('performance').performance;
    }
    if (name === 'worker_threads') {
      made.MessagePort = load('abort').MessagePort;
      made.isMainThread = true;
      made.parentPort = null;
      made.workerData = null;
    }
    return made;
  }

  return { module: module };
})
