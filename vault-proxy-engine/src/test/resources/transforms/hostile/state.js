// State that one invocation leaves, and checks that no other invocation finds it.
const module_ = require('built-ins');
module.exports = (request) => attacks[request.args.body](request);

let invocations = 0;
const cache = new Map();
const tag = (strings) => strings;
const template = () => tag`a${1}b`;
const sticky = () => /a/g;

//= long
const world = {
  ...require('world'),
};

const attacks = {
  //= returns left
  marks(request) {
    invocations++;
    cache.set('card', 4111);
    leaked = '4111';
    globalThis.card = '4111';
    global.number = '4111';
    module_.card = '4111';
    require('util').card = '4111';
    require('crypto').createHash = () => 'polluted';
    module.exports.card = '4111';
    request.bt.card = '4111';
    Object.prototype.card = '4111';
    Error.prepareStackTrace = (error, frames) => 'polluted';
    Error.stackTraceLimit = 1;
    RegExp.multiline = true;
    RegExp.input = '4111';
    /(4)(1)(1)(1)/.exec('4111');
    const literal = sticky();
    literal.lastIndex = 4111;
    literal.card = 1;
    Symbol.for('4111').description;
    Symbol.card = Symbol.for('4111');
    try { template().card = '4111'; } catch (e) { /* frozen, as it is in Node.js */ }
    process_ = setTimeout(() => { globalThis.late = 1; }, 0);
    setInterval(() => { globalThis.late = 1; }, 1);
    Promise.resolve().then(() => Promise.resolve()).then(() => { globalThis.late = 2; });
    Math.random = () => 4;
    Date.now = () => 4;
    Buffer.poolSize = 1;
    Buffer.from('4111').fill(0x41);
    return { body: 'left' };
  },
  //= returns left long
  everything(request) {
    const { defineProperty, ownKeys, setPrototypeOf, preventExtensions } = Reflect;
    const polluted = () => 'polluted';
    const change = { value: polluted, enumerable: true };
    const objects = world.objects({ request }).map((each) => each[1]);
    const keys = objects.map((object) => ownKeys(object));
    const result = { body: 'left' };
    for (let i = 0; i < objects.length; i++) {
      for (let j = 0; j < keys[i].length; j++) defineProperty(objects[i], keys[i][j], change);
      defineProperty(objects[i], 'polluted', change);
      setPrototypeOf(objects[i], null);
      preventExtensions(objects[i]);
    }
    return result;
  },
  //= returns []
  look(request) {
    const input = [RegExp.$1, RegExp.lastMatch, RegExp.input, RegExp['$_'], RegExp.multiline];
    const seen = [];
    const check = (name, good) => { if (!good) seen.push(name); };
    check('module state', invocations++ === 0 && cache.size === 0);
    check('globals', typeof leaked === 'undefined' && typeof process_ === 'undefined');
    ['card', 'number', 'late'].forEach((name) => check(name, !(name in globalThis)));
    check('module', !module_.card && !require('util').card && !module.exports.card);
    check('hash', require('crypto').createHash('md5').update('').digest('hex').startsWith('d41d8cd98f'));
    check('bt', !request.bt.card);
    check('stack', !new Error('x').stack.includes('polluted'));
    check('regex', input.every((each) => !each));
    check('literal', sticky().lastIndex === 0 && sticky().card === undefined);
    check('symbol', Symbol.card === undefined);
    check('template', template().card === undefined);
    check('random', Math.random() < 1 && Date.now() > 4);
    return { body: seen };
  },
  //= any long
  world(request) {
    return { body: world.lines({ request }) };
  },
};
