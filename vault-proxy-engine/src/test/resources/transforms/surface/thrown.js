// Reported text and position of each kind of error.
const {
  BadRequestError, AuthenticationError, AuthorizationError, NotFoundError, RateLimitError,
} = require('vault-errors');
const shapes = require('shapes');

class OwnError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

class Deeper extends OwnError {
  get name() {
    return 'Deeper';
  }
}

function inFunction(value) {
  throw value;
}

const late = () => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('later')), 1);
});

async function twice(action) {
  try {
    return await action();
  } catch (e) {
    throw e;
  }
}

const sorts = {
  plain: () => { throw new Error('plain'); },
  noText: () => { throw new Error(); },
  own: () => { throw new OwnError('own', 418); },
  deeper: () => {
    throw new Deeper('deeper', 599);
  },
  status399: () => { throw new OwnError('a', 399); },
  status600: () => { throw new OwnError('a', 600); },
  statusText: () => { throw new OwnError('a', '404'); },
  statusHalf: () => { throw new OwnError('a', 404.5); },
  assigned: () => { throw Object.assign(new Error('assigned'), { status: 409 }); },
  string: () => { throw 'a text'; },
  number: () => { throw 42; },
  nil: () => { throw null; },
  undef: () => { throw undefined; },
  object: () => { throw { message: 'object', status: 422 }; },
  bad: () => { throw new BadRequestError('bad'); },
  badError: () => { throw new BadRequestError(new Error('inner')); },
  badList: () => { throw new BadRequestError(['a', 'b']); },
  badGroup: () => {
    throw new BadRequestError({
      card: ['missing'],
      cvc: ['short', 'odd'],
    });
  },
  authentication: () => { throw new AuthenticationError('who'); },
  authorization: () => { throw new AuthorizationError('no'); },
  notFound: () => { throw new NotFoundError('gone'); },
  rate: () => { throw new RateLimitError('slow'); },
  global: () => { throw new globalThis.BadRequestError('global'); },
  type: () => null.x,
  typeDeep: ({ body }) => body.a.b.c,
  reference: () => missing,
  range: () => 'x'.repeat(-1),
  rangeArray: () => new Array(-1),
  syntax: () => JSON.parse('{"a":'),
  uri: () => decodeURIComponent('%'),
  ownType: () => { throw new TypeError('on purpose'); },
  call: () => shapes.missing(),
  constant: () => {
    const a = 1;
    a = 2;
  },
  early: () => {
    use();
    const value = 1;
    function use() {
      return value;
    }
  },
  notIterable: () => {
    const [a] = 5;
    return a;
  },
  forOf: () => {
    for (const x of 5) {
      return x;
    }
  },
  destructured: () => {
    const { a } = null;
    return a;
  },
  classCall: () => OwnError('x'),
  bigint: () => 1n + 1,
  caught: () => {
    try {
      null.x;
    } catch (e) {
      throw new Error(`wrapped ${e instanceof TypeError}`);
    }
  },
  cause: () => {
    throw new Error('outer', { cause: new Error('inner') });
  },
  inside: () => inFunction(new Error('made here')),
  rejected: () => Promise.reject(new Error('rejected')),
  rejectedText: () => Promise.reject('text'),
  afterAwait: async () => {
    await null;
    await 1;
    throw new Error('after');
  },
  typeAfterAwait: async ({ body }) => {
    const first = await body.a;
    const second = await first;
    return second.b.c;
  },
  inLoop: async () => {
    for (let i = 0; i < 3; i++) {
      await null;
      if (i === 2) throw new Error(`at ${i}`);
    }
  },
  late: () => late(),
  again: () => twice(() => twice(late)),
  all: () => Promise.all([1, late(), 2]),
  any: () => Promise.any([Promise.reject(new Error('a')), Promise.reject(new Error('b'))]),
  finallyThrows: async () => {
    try {
      throw new Error('first');
    } finally {
      await null;
      throw new Error('second');
    }
  },
  mapped: () => [1, 2].map((x) => {
    if (x === 2) {
      throw new Error('in map');
    }
    return x;
  }),
  generator: () => {
    function* numbers() {
      yield 1;
      throw new Error('in generator');
    }
    return [...numbers()];
  },
  asyncGenerator: async () => {
    async function* numbers() {
      yield 1;
      throw new Error('in async generator');
    }
    for await (const n of numbers()) {
      void n;
    }
  },
  getter: () => ({ get x() { throw new Error('in getter'); } }).x,
  module: () => shapes.area({}),
  moduleType: () => shapes.area(null),
  answer: () => {
    throw new CustomHttpResponseError({ status: 202, headers: { 'x-a': '1' }, body: { ok: true } });
  },
  answerText: () => {
    throw new CustomHttpResponseError({ status: 404, body: 'nothing here' });
  },
  answerBytes: () => {
    throw new CustomHttpResponseError({ status: 200, headers: { a: ['1', '2'] }, body: Buffer.from([255]) });
  },
  answerEmpty: () => {
    throw new CustomHttpResponseError({ status: 204 });
  },
};

module.exports = async ({ args, configuration }) => sorts[configuration.kind](args);
