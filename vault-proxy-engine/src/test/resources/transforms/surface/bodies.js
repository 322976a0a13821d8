// Bodies that a transform receives and can return, by kind.
const { Buffer: Bytes } = require('buffer');

class Money {
  constructor(units) {
    this.units = units;
  }
  toJSON() {
    return (this.units / 100).toFixed(2);
  }
}

const kinds = {
  echo: ({ body }) => ({ body }),
  kind: ({ body }) => ({
    body: [typeof body, body === null, Array.isArray(body), Buffer.isBuffer(body), body instanceof Uint8Array],
  }),
  request: ({ method, path, query, headers }) => ({
    body: { method, path, query, keys: Object.keys(headers), cookie: headers['set-cookie'] ?? null },
  }),
  keys: ({ body }) => ({ body: Object.keys(body).concat(JSON.stringify(body)) }),
  upper: ({ body }) => ({ body: body.toUpperCase() }),
  reversed: ({ body }) => ({ body: Buffer.from([...body].reverse()) }),
  view: ({ body }) => ({ body: new Uint8Array(body.buffer, body.byteOffset, 2) }),
  memory: () => ({ body: Uint8Array.of(1, 2, 3).buffer }),
  slice: ({ body }) => ({ body: body.slice(1, 3) }),
  inner: ({ body }) => ({ body: { file: body, size: body.length, text: Bytes.from('é').toJSON() } }),
  none: () => ({ body: null }),
  left: () => ({}),
  undef: () => ({ body: undefined, headers: undefined }),
  empty: () => ({ body: '' }),
  number: () => ({ body: 1.5 }),
  zero: () => ({ body: [-0, 0, 1 / 3, 1e21, 1e-7, 5e-7, 2 ** 53, NaN, Infinity] }),
  bool: () => ({ body: false }),
  list: () => ({ body: [1, , undefined, null, () => 1, Symbol('x')] }),
  own: () => ({ body: { total: new Money(1234), list: [new Money(5)] } }),
  date: () => ({ body: { at: new Date(1709202896789), bad: new Date(NaN) } }),
  collections: () => ({ body: { map: new Map([[1, 2]]), set: new Set([1]), re: /x/g, err: new Error('x') } }),
  boxed: () => ({ body: [Object('a'), Object(1), Object(false)] }),
  order: () => ({ body: { b: 1, 2: 1, a: 1, 1: 1, '-1': 1, '01': 1, [`c${1}`]: 1 } }),
  hidden: () => ({ body: Object.create({ inherited: 1 }, { seen: { value: 1, enumerable: true }, not: { value: 2 } }) }),
  getter: () => ({ body: { get a() { return 1; }, set b(v) {}, __proto__: { c: 1 } } }),
  strings: () => ({ body: ['\u0000\u001f"\\/\b\f\n\r\t', '\u2028\u2029', '\ud800', '😀', '\u007f', 'é'] }),
  halves: () => ({ body: 'a\ud800b😀' }),
  deep: () => ({ body: Array.from({ length: 50 }).reduce((inner) => ({ inner }), 'end') }),
  array: () => [1],
  text: () => 'text',
  nothing: () => undefined,
  nil: () => null,
  func: () => () => 1,
  promise: () => ({ body: Promise.resolve(1) }),
  cycle: () => {
    const body = {};
    body.body = body;
    return { body };
  },
  bigint: () => ({ body: { n: 10n } }),
  bigtext: () => ({ body: { n: String(2n ** 64n), m: BigInt.asUintN(8, 257n).toString() } }),
  thrower: () => ({ body: { toJSON() { throw new Error('no'); } } }),
  symbol: () => ({ body: Symbol('x') }),
  fnbody: () => ({ body() {} }),
  custom: () => ({ body: { toJSON: () => undefined } }),
  extra: () => ({ body: 1, status: 201, other: true }),
  proto: ({ body }) => ({ body: [body.__proto__ === Object.prototype, Object.keys(body), JSON.stringify(body)] }),
  dup: ({ body }) => ({ body }),
};

module.exports = async ({ args, configuration }) => kinds[configuration.kind](args);
