// Forms of unbounded recursion.
module.exports = (request) => attacks[request.args.body](request);

const deep = (count, wrap, start) => {
  let value = start;
  for (let i = 0; i < count; i++) value = wrap(value);
  return value;
};

const attacks = {
  //= stack long
  direct() {
    const f = () => f() + 1;
    return f();
  },
  //= stack long
  mutual() {
    const f = () => g() + 1;
    const g = () => f() + 1;
    return f();
  },
  //= stack
  caught() {
    const f = () => {
      try {
        return f();
      } catch (e) {
        return f();
      } finally {
        f();
      }
    };
    return f();
  },
  //= stack long
  map() {
    const f = () => [1].map(f);
    return f();
  },
  //= stack long
  sort() {
    const f = () => [2, 1].sort(f);
    return f();
  },
  //= stack long
  replace() {
    const f = () => 'x'.replace(/x/, f);
    return f();
  },
  //= stack long
  toStringOfItself() {
    const object = { toString: () => `${object}` };
    return `${object}`;
  },
  //= stack long
  valueOfItself() {
    const object = { valueOf: () => +object };
    return +object;
  },
  //= stack long
  getter() {
    const object = { get x() { return this.x; } };
    return object.x;
  },
  //= stack | over long
  proxyOfProxies() {
    return deep(100000, (inner) => new Proxy(inner, {}), {});
  },
  //= stack | BAD_RESULT long
  bound() {
    return deep(100000, (inner) => inner.bind(null), () => 1)();
  },
  //= stack long
  jsonNesting() {
    return { body: deep(100000, (inner) => [inner], []) };
  },
  //= stack long
  jsonParse() {
    return JSON.parse('['.repeat(200000) + ']'.repeat(200000));
  },
  //= stack long
  jsonToJson() {
    const object = { toJSON: () => JSON.stringify(object) };
    return { body: object };
  },
  //= stack long
  constructors() {
    class Again { constructor() { this.again = new Again(); } }
    return new Again();
  },
  //= stack long
  generators() {
    function* again() { yield* again(); }
    return [...again()];
  },
  //= stack long
  applied() {
    const f = () => Reflect.apply(f, null, []);
    return f();
  },
  //= stack | ENGINE_ERROR long
  flat() {
    return deep(100000, (inner) => [inner], []).flat(Infinity);
  },
  //= stack long
  joined() {
    return String(deep(100000, (inner) => [inner], []));
  },
  //= stack | BAD_RESULT long
  prototypes() {
    return deep(100000, (inner) => Object.create(inner), { get x() { return 1; } }).y;
  },
  //= stack | over | BAD_RESULT long
  regex() {
    return new RegExp('('.repeat(900) + 'a' + ')*'.repeat(900)).test('a'.repeat(1000));
  },
  //= stack | ENGINE_ERROR long
  regexDeep() {
    return new RegExp('(?:'.repeat(100000) + 'a' + ')'.repeat(100000)).test('a');
  },
  //= stack | ENGINE_ERROR long
  inspect() {
    return require('util').inspect(deep(100000, (inner) => [inner], []), { depth: Infinity });
  },
  //= stack | ENGINE_ERROR long
  clone() {
    return structuredClone(deep(100000, (inner) => [inner], []));
  },
  //= stack | ENGINE_ERROR long
  deepEqual() {
    const one = deep(100000, (inner) => [inner], []);
    const other = deep(100000, (inner) => [inner], []);
    return require('util').isDeepStrictEqual(one, other);
  },
  //= returns 300000a long
  concatenated() {
    let text = '';
    for (let i = 0; i < 300000; i++) text = 'a' + text;
    return { body: String(text.length) + text.charAt(5) };
  },
  //= stack | over long
  async asynchronous() {
    const f = async () => { await f(); };
    await f();
  },
  //= stack long
  species() {
    class Own extends Array { static get [Symbol.species]() { return new Own(1).map(() => 1); } }
    return new Own(1).map(() => 1);
  },
  //= stack long
  errorInError() {
    const f = () => { throw new Error(`${f()}`); };
    return f();
  },
  //= stack long
  thrown() {
    throw { get status() { return attacks.direct(); } };
  },
  //= stack | BAD_RESULT long
  cycleOfGetters() {
    return { get body() { return { toJSON: () => attacks.map() }; } };
  },
};
