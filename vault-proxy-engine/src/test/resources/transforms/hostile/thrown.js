// Unusual values that are thrown or returned.
module.exports = (request) => attacks[request.args.body](request);

const attacks = {
  //= throws 500 {"error":["Transform failed"]} long
  nothing() {
    throw null;
  },
  //= throws 500 {"error":["Transform failed"]} long
  undefinedValue() {
    throw undefined;
  },
  //= throws 500 {"error":["Transform failed"]} long
  symbol() {
    throw Symbol('4111');
  },
  //= throws 500 {"error":["Transform failed"]} long
  bigInt() {
    throw 4111n;
  },
  //= throws 500 {"error":["Transform failed"]} long
  func() {
    throw () => '4111';
  },
  //= stack | over | throws 500 {"error":["Transform failed"]} long
  proxyThatThrows() {
    const thrower = new Proxy({}, { get: () => { throw thrower; } });
    const traps = new Proxy({}, { get: () => () => { throw thrower; } });
    throw new Proxy(function () {}, traps);
  },
  //= ENGINE_ERROR
  revoked() {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    throw proxy;
  },
  //= throws 500 {"error":["frozen"]} long
  frozen() {
    throw Object.freeze(new Error('frozen'));
  },
  //= throws 500 {"error":["cyclic"]} long
  cyclic() {
    const error = new Error('cyclic');
    error.cause = error;
    error.errors = [error];
    throw error;
  },
  //= ENGINE_ERROR long
  prototypeCycle() {
    const error = new Error('x');
    Object.setPrototypeOf(error, new Proxy({}, { getPrototypeOf: () => error }));
    throw error;
  },
  //= throws 500 {"error":["y"]} long
  getterThatThrows() {
    throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('y'); } });
  },
  //= throws 500 {"error":["Transform failed"]} long
  messageThatIsNone() {
    const error = new Error('x');
    error.message = { toString: () => '4111' };
    throw error;
  },
  //= throws 500 {"error":["x"]} long
  statusOutOfRange() {
    throw Object.assign(new Error('x'), { status: 99999 });
  },
  //= throws 500 {"error":["x"]} long
  statusOfSuccess() {
    throw Object.assign(new Error('x'), { status: 200 });
  },
  //= throws 500 {"error":["x"]} long
  statusThatIsNone() {
    throw Object.assign(new Error('x'), { status: { valueOf: () => 418 } });
  },
  //= ENGINE_ERROR long
  engineInDisguise() {
    try {
      null.card4111();
    } catch (error) {
      Object.setPrototypeOf(error, Error.prototype);
      throw error;
    }
  },
  //= ENGINE_ERROR long
  engineWithOwnText() {
    throw new TypeError('4111');
  },
  //= ENGINE_ERROR long
  async rejectedByEngine() {
    await Promise.reject(1).catch(() => null.card4111);
  },
  //= ENGINE_ERROR long
  answerOfNoStatus() {
    const { CustomHttpResponseError } = require('vault-errors');
    throw new CustomHttpResponseError({ status: 9, headers: {}, body: 'x' });
  },
  //= BAD_RESULT | throws 500 {"error":["Transform failed"]} | ENGINE_ERROR long
  answerThatThrows() {
    const { CustomHttpResponseError } = require('vault-errors');
    throw new CustomHttpResponseError(new Proxy({}, { get() { throw null; } }));
  },
  //= BAD_RESULT | OUTPUT_SIZE | STACK long
  answerThatIsCyclic() {
    const { CustomHttpResponseError } = require('vault-errors');
    const body = {};
    body.body = body;
    throw new CustomHttpResponseError({ status: 200, headers: {}, body });
  },
  //= BAD_RESULT long
  noObject() {
    return 4111;
  },
  //= BAD_RESULT long
  list() {
    return [{ body: 1 }];
  },
  //= BAD_RESULT long
  functionInstead() {
    return () => ({ body: 1 });
  },
  //= BAD_RESULT long
  bigIntBody() {
    return { body: { big: 1n } };
  },
  //= BAD_RESULT long
  symbolBody() {
    return { body: Symbol('x') };
  },
  //= BAD_RESULT long
  cyclicBody() {
    const body = {};
    body.body = body;
    return { body };
  },
  //= BAD_RESULT long
  proxyInstead() {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return { body: proxy };
  },
  //= BAD_RESULT long
  headersOfNothing() {
    return { headers: { a: {} } };
  },
  //= BAD_RESULT long
  headersInAMap() {
    return { headers: new Map([['a', 'b']]) };
  },
  //= NEVER_SETTLES
  neverSettles() {
    return new Promise(() => {});
  },
  //= NEVER_SETTLES long
  async awaitsNothing() {
    await { then() {} };
  },
  //= NEVER_SETTLES long
  race() {
    return Promise.race([]);
  },
  //= NEVER_SETTLES long
  async generatorThatWaits() {
    for await (const each of (async function* () { await new Promise(() => {}); yield 1; })());
  },
  //= NEVER_SETTLES long
  clearedTimer() {
    return new Promise((resolve) => clearTimeout(setTimeout(resolve, 10)));
  },
  //= returns first long
  settlesTwice() {
    return { then(resolve, reject) { resolve({ body: 'first' }); resolve({ body: 'second' }); reject(1); } };
  },
  //= OUTPUT_SIZE
  hugeBody() {
    return { body: 'x'.repeat(9000000) };
  },
  //= OUTPUT_SIZE long
  hugeBytes() {
    return { body: Buffer.alloc(9000000) };
  },
  //= OUTPUT_SIZE long
  hugeJson() {
    return { body: new Array(100).fill('x'.repeat(100000)) };
  },
  //= OUTPUT_SIZE | over long
  sparseBody() {
    return { body: new Array(4294967295) };
  },
  //= OUTPUT_SIZE long
  hugeHeader() {
    return { headers: { a: 'x'.repeat(9000000) } };
  },
  //= OUTPUT_SIZE long
  hugeHeaderName() {
    return { headers: { ['x'.repeat(9000000)]: 'a' } };
  },
  //= OUTPUT_SIZE | over long
  manyHeaders() {
    const headers = {};
    for (let i = 0; i < 90000; i++) headers[`a${'x'.repeat(100)}${i}`] = '';
    return { headers };
  },
  //= OUTPUT_SIZE | over long
  manyValues() {
    return { headers: { a: new Array(9000000).fill('') } };
  },
  //= throws 500 shortened
  hugeMessage() {
    throw new Error('x'.repeat(9000000));
  },
  //= answers 200 mine {}
  ownAnswer() {
    const { CustomHttpResponseError } = require('vault-errors');
    throw new CustomHttpResponseError({ status: 200, body: 'mine' });
  },
};
