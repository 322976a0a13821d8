// Known ways from Rhino to Java, and ways to turn text into code. Each lists those that succeed.
module.exports = (request) => attacks[request.args.body](request);

// As literals, most of these names would be rejected when the code is saved.
const it = (name) => globalThis[name];
const theRequire = arguments[1];
const theEval = it('eval');
const TheFunction = (() => {}).constructor;
const JAVA = /java|mozilla|rhino|tokenvault|[a-z]Exception|\.class\b/;

// Returns the names of those that exist although they should not.
const open = (doors) => {
  const found = [];
  for (const [name, door] of Object.entries(doors)) {
    try {
      const value = door();
      if (value !== undefined && value !== null && value !== false) found.push(name);
    } catch (e) {
      if (JAVA.test(String(e && e.message)) || JAVA.test(String(e && e.stack))) found.push(`${name} told: ${e.message}`);
    }
  }
  return { body: found };
};

//= long
const engineErrors = () => {
  const makers = [
    () => null.x, () => undefined.f(), () => missing, () => ({}).f(), () => new Array(-1),
    () => 'x'.repeat(-1), () => new (class { constructor() { this.x.y; } })(), () => BigInt(1.5),
    () => JSON.parse('{'), () => decodeURIComponent('%'), () => new RegExp('('), () => Symbol() + '',
    () => 1n + 1, () => Reflect.construct(1), () => Object.defineProperty(1, 'x', {}),
    () => structuredClone(() => {}), () => Buffer.from(1), () => new URL('x'), () => atob('*'),
    () => require('crypto').createHash('x'), () => require('crypto').createCipheriv('x', 1, 2),
    () => require('crypto').createSign('x').sign('x'), () => Buffer.alloc(-1), () => new Proxy(1, 2),
    () => require('crypto').createDecipheriv('aes-256-gcm', Buffer.alloc(32), Buffer.alloc(12)).final(),
    () => require('crypto').createPrivateKey('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'),
    () => require('crypto').createPublicKey({ key: Buffer.alloc(9), format: 'der', type: 'spki' }),
    () => require('crypto').pbkdf2Sync('a', 'b', 1, 1, 'x'), () => new TextDecoder('x'),
    () => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from([255])), () => new Date(NaN).toISOString(),
    () => (1).toFixed(101), () => (1).toString(1), () => 'x'.normalize('x'), () => [].reduce((a) => a),
    () => new Uint8Array(-1), () => new DataView(new ArrayBuffer(1), 2), () => new Map([1]), () => new WeakMap([[1, 1]]),
    () => Promise(), () => new Promise(), () => Symbol.keyFor(1), () => new (it('Intl').NumberFormat)('x'),
    () => Object.setPrototypeOf(Object.prototype, {}), () => 'x'.localeCompare('y', 'not a locale'),
    () => (1).toLocaleString('not a locale'), () => new Date().toLocaleString('x', { timeZone: 'Nowhere' }),
    () => require('zlib').gunzipSync('x'), () => require('zlib').gzipSync(1), () => require('zlib').inflateSync(Buffer.from([120])),
    () => require('zlib').deflateSync('x', { level: 99 }), () => require('zlib').deflateSync('x', { dictionary: 1 }),
    () => require('zlib').gunzipSync(Object.create(ArrayBuffer.prototype)), () => require('zlib').crc32({}), () => require('zlib').gunzip('x'),
    () => require('assert').strictEqual(1, 2), () => require('http').get('http://x'), () => require('process').nextTick(1),
    () => new (require('stream').Writable)().write(1), () => require('path').join(1),
    () => require('events').once(1, 'x'), () => new (require('string_decoder').StringDecoder)('x'), () => require('punycode').decode('\u0100'),
    () => require('fs'), () => require('os').userInfo(),
    () => require('util').promisify(1), () => require('util').inspect(new Proxy({}, { get() { throw null; } })),
  ];
  return makers.map((make) => {
    try {
      make();
      return undefined;
    } catch (e) {
      return e;
    }
  });
};

const attacks = {
  //= returns []
  names() {
    const names = [
      'Packages', 'java', 'javax', 'org', 'com', 'edu', 'net', 'JavaImporter', 'JavaAdapter',
      'JavaException', 'JavaArray', 'JavaClass', 'getClass', 'importPackage', 'importClass', 'load',
      'quit', 'exit', 'print', 'readFile', 'runCommand', 'spawn', 'sync', 'defineClass',
      'loadClass', 'environment', 'gc', 'help', 'version', 'seal', 'Continuation', 'With', 'Call',
      'Script', 'CallSite', 'XML', 'InternalError', 'Iterator', 'StopIteration', 'WebAssembly',
      'SharedArrayBuffer', 'Atomics',
    ];
    const doors = Object.fromEntries(names.map((name) => [name, () => it(name)]));
    return open({
      ...doors,
      process: () => it('process').binding,
      ofRequire: () => ['main', 'cache', 'extensions', 'resolve'].map((name) => theRequire[name]).find(Boolean),
      ofModule: () => ['children', 'parent', 'paths', 'filename'].map((name) => module[name]).find(Boolean),
      loader: () => module.constructor._load,
    });
  },
  //= returns []
  properties(request) {
    const values = { object: {}, array: [], text: 'x', number: 1, function: () => {}, date: new Date(), regex: /x/,
      map: new Map(), promise: Promise.resolve(), error: new Error('x'), buffer: Buffer.alloc(1), big: 1n,
      url: new URL('https://a.test'), bytes: new Uint8Array(1), symbol: Symbol('x'), body: request.args.body,
      headers: request.args.headers, bt: request.bt, tokens: request.bt.tokens, args: request.args, request,
      configuration: request.configuration, console, crypto: require('crypto'), hash: require('crypto').createHash('md5'),
      key: require('crypto').createSecretKey(Buffer.alloc(1)), util: require('util'), module, theRequire,
      assert: require('assert'), stream: require('stream'), readable: require('stream').Readable.from(['a']), zlib: require('zlib'),
      unzip: require('zlib').createUnzip(), process: require('process'), os: require('os'), http: require('http'), agent: require('https').globalAgent,
      events: require('events'), path: require('path'), decoder: new (require('string_decoder').StringDecoder)(), promises: require('timers/promises'), exports, globalThis,
      json: JSON, math: Math, reflect: Reflect, bound: fetch.bind(null), fetch, proxy: new Proxy({}, {}),
      generator: (function* () {})(), iterator: [].values(), mapIterator: new Map().entries(), text_: Object('x') };
    const names = ['class', 'getClass', 'hashCode', 'equals', 'notify', 'notifyAll', 'wait', 'clone_', '__parent__',
      '__noSuchMethod__', '__iterator__', '__javaObject__', '__exposedProps__', '__count__', 'toSource', 'unwrap', 'getScope',
      'getParentScope', 'getPrototype', 'setParentScope', 'associateValue', 'getAssociatedValue', 'javaException',
      'rhinoException', 'caller', 'watch', 'unwatch', 'native', 'handle', 'delegate', 'javaObject', 'env', 'host'];
    const found = [];
    for (const [kind, value] of Object.entries(values)) {
      for (const name of names) {
        let there;
        try {
          there = value[name];
        } catch (e) {
          there = undefined;
        }
        const nodes = ['buffer.equals', 'key.equals', 'url.host', 'process.env'].includes(`${kind}.${name}`);
        if (there !== undefined && there !== null && !nodes) found.push(`${kind}.${name}`);
      }
    }
    return { body: found };
  },
  //= returns [] long
  async codeOfText() {
    const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
    const GeneratorFunction = Object.getPrototypeOf(function* () {}).constructor;
    const AsyncGenerator = Object.getPrototypeOf(async function* () {}).constructor;
    const Base = TheFunction;
    class Own extends Base {}
    const made = open({
      eval: () => theEval('7'),
      indirect: () => (0, theEval)('7'),
      global: () => it('eval')('7'),
      call: () => theEval.call(null, '7'),
      reflect: () => Reflect.apply(theEval, null, ['7']),
      bound: () => theEval.bind(null, '7')(),
      mapped: () => ['7'].map(theEval)[0],
      Function: () => TheFunction('return 7')(),
      new: () => new TheFunction('return 7')(),
      own: () => new Own('return 7')(),
      construct: () => Reflect.construct(TheFunction, ['return 7'])(),
      constructAs: () => Reflect.construct(TheFunction, ['return 7'], Object)(),
      constructor: () => (() => {}).constructor('return 7')(),
      chain: () => [].constructor.constructor('return 7')(),
      chainOfText: () => ''.constructor.constructor('return 7')(),
      chainOfHost: () => fetch.constructor('return 7')(),
      chainOfRequire: () => theRequire.constructor('return 7')(),
      chainOfConsole: () => console.log.constructor('return 7')(),
      chainOfError: () => { try { null.x; } catch (e) { return e.constructor.constructor('return 7')(); } },
      chainOfRange: () => new RangeError().constructor.constructor('return 7')(),
      bind: () => TheFunction.bind(null, 'return 7')()(),
      apply: () => TheFunction.apply(null, ['return 7'])(),
      species: () => new (class extends Array { static get [Symbol.species]() { return TheFunction; } })('return 7').map(String)(),
      arrayFrom: () => Array.from.call(TheFunction, { length: 0 })(),
      arrayOf: () => Array.of.call(TheFunction, 'return 7')(),
      concat: () => [].concat.call(Object.assign(['return 7'], { constructor: { [Symbol.species]: TheFunction } }))(),
      promise: () => typeof Promise.resolve.call(TheFunction, 7) === 'function',
      replacer: () => 'return 7'.replace(/.*/, TheFunction),
      generator: () => GeneratorFunction('yield 7')().next().value,
      async: () => AsyncFunction('return 7')(),
      asyncGenerator: () => AsyncGenerator('yield 7')().next(),
      arguments: () => TheFunction('a = 7', 'return a')(),
      subclass: () => new (class extends Function { constructor() { super('return 7'); } })()(),
      implicit: () => Reflect.construct(class extends Function {}, ['return 7'])(),
      comment: () => TheFunction('/*', '*/){ return 7 }//')(),
      toText: () => TheFunction({ toString: () => 'return 7' })(),
      json: () => JSON.parse('"return 7"', TheFunction)(),
      timer: () => { const id = setTimeout(String('globalThis.made = 7'), 0); return id !== undefined && false; },
      regex: () => new RegExp('(?{7})').exec('7'),
      template: () => require('util').format('%j', TheFunction('return 7')),
      proxy: () => new (new Proxy(TheFunction, {}))('return 7')(),
      proxyCall: () => new Proxy(theEval, {})('7'),
      getter: () => Object.defineProperty({}, 'x', { get: theEval.bind(null, '7') }).x,
      sort: () => ['7', '8'].sort(theEval) && false,
      compile: () => new (Object.getPrototypeOf(/x/).compile ? RegExp : TheFunction)('7').compile('7') && false,
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (globalThis.made) made.body.push('timer');
    return made;
  },
  //= returns [] long
  errors() {
    const found = [];
    const secrets = ['javaException', 'rhinoException', 'fileName', 'lineNumber', 'columnNumber', 'cause', 'nativeStack'];
    const seen = new Set();
    engineErrors().forEach((error, i) => {
      if (error === undefined || error === null || seen.has(error)) return;
      seen.add(error);
      const names = Reflect.ownKeys(error).map(String);
      for (const name of secrets) {
        if (names.includes(name) || error[name] !== undefined) found.push(`${i}.${name}`);
      }
      for (const name of names.concat('message', 'name', 'stack')) {
        if (JAVA.test(String(error[name]))) found.push(`${i}.${name}: ${error[name]}`);
      }
      if (typeof error !== 'object' || !(error instanceof Error)) found.push(`${i} is no Error`);
    });
    return { body: found };
  },
  //= returns [] long
  stacks() {
    const found = [];
    const methods = ['getThis', 'getFunction', 'getTypeName', 'getEvalOrigin', 'getScriptNameOrSourceURL', 'getScope'];
    Error.prepareStackTrace = (error, frames) => {
      for (const frame of frames) {
        for (const name of methods) {
          let value;
          try {
            value = frame[name] && frame[name]();
          } catch (e) {
            value = undefined;
          }
          if (value !== undefined && value !== null) found.push(`${name}: ${String(value)}`);
        }
        if (JAVA.test(String(frame))) found.push(String(frame));
      }
      return frames;
    };
    const error = new Error('x');
    Error.captureStackTrace(error);
    const frames = error.stack;
    if (JAVA.test(String(frames))) found.push(String(frames));
    [JSON.parse, [].map, fetch, Buffer.from].forEach((each) => {
      if (JAVA.test(Function.prototype.toString.call(each))) found.push(String(each));
    });
    return { body: found };
  },
  //= returns [] long
  sources() {
    const found = [];
    const told = (name, value) => {
      const text = String(value);
      if (!/^\s*(async )?(function|class|\(|[a-z]+ =>)/.test(text) || JAVA.test(text)) found.push(`${name}: ${text.slice(0, 80)}`);
    };
    told('require', theRequire);
    told('fetch', fetch);
    told('console.log', console.log);
    told('Buffer', Buffer);
    return { body: found };
  },
  //= returns [] long
  callers() {
    const found = [];
    const look = function () {
      if (look.caller) found.push('caller');
      if (look.arguments && look.arguments.callee && look.arguments.callee.caller) found.push('callee.caller');
      if (fetch.arguments || JSON.stringify.arguments || theRequire.arguments) found.push('arguments');
      return 'x';
    };
    JSON.stringify({ toJSON: look });
    [1].forEach(look);
    try { fetch({ toString: look }).catch(() => {}); } catch (e) { look(); }
    new URL('https://a.test', { toString: () => look() && 'https://b.test' });
    return { body: found };
  },
  //= returns [] long
  scopes() {
    return open({
      thisOfFunction: () => (function () { return this === undefined || this === globalThis; })() && false,
      parent: () => ({}).__parent__,
      parentOfFunction: () => (() => {}).__parent__,
      setParent: () => { const o = {}; o.__parent__ = globalThis; return Object.keys(o).length !== 1; },

      iterator: () => { const o = { __iterator__: () => 7 }; for (const each in o) if (each !== '__iterator__') return each; },
      getter: () => ({}).__lookupGetter__('__proto__').call(null),
      unscopables: () => ({ [Symbol.unscopables]: {} }).x,
      arguments: () => { const f = function () { return f.arguments; }; f(); return f.arguments; },
      importer: () => theRequire('java.' + 'lang'),
      fs: () => theRequire('f' + 's'),
      path: () => theRequire('../../etc/passwd'),
      absolute: () => theRequire('/etc/passwd'),
      url: () => theRequire('file:///etc/passwd'),
    });
  },
  //= returns [] long
  madeOnDemand() {
    const found = [];
    Object.freeze(TextDecoder.prototype);
    Object.seal(require('crypto'));
    for (const [name, object] of require('world').objects({})) {
      for (const key of Reflect.ownKeys(object)) {
        try {
          typeof Object.getOwnPropertyDescriptor(object, key)?.value;
          const get = () => Object.getOwnPropertyDescriptor(new Proxy(object, {}), key);
          typeof get()?.value;
        } catch (e) {
          found.push(`${name}.${String(key)}: ${e.message}`);
        }
      }
      Object.getOwnPropertyNames(object).forEach((key) => typeof Object.getOwnPropertyDescriptors(object)[key]?.value);
    }
    return { body: found };
  },
  //= returns [] | over long
  calledWithNonsense() {
    const { objects } = require('world');
    const { isProxy } = require('util').types;
    const skipped = /Interval|Timeout|Immediate|abort|timeout|fetch|Sync|generateKey|random|^request|fill|repeat|pad/;
    const nonsense = [
      [], [undefined], [null, null, null], [{}, {}, {}], ['x', -1, 'y'], [NaN, 1e21, -0], [Symbol.iterator, 1n],
      [() => { throw null; }, 'x'], [Object.create(null), 1], [new Proxy({}, {}), []], [-1, -1, -1], [[[]], 2 ** 31],
    ];
    const found = [];
    for (const [name, value] of objects({})) {
      if (typeof value !== 'function' || skipped.test(name)) continue;
      for (const given of nonsense) {
        for (const self of [undefined, {}, 'x']) {
          try {
            Reflect.apply(value, self, given);
          } catch (e) {
            const text = String(e && e.message);
            if (/^java|org\.mozilla|tokenvault|Exception|ClassCast|[a-z]\.[a-z]+\.[A-Z]\w+@/.test(text)) found.push(`${name}: ${text}`);
          }
        }
      }
    }
    return { body: found };
  },
};
