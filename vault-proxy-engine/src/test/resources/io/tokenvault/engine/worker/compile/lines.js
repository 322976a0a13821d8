L(__LINE__);
const text = `one
two ${L(__LINE__)}
three ${
  L(__LINE__)
} four`;
L(__LINE__);

class Client {
  #key = L(__LINE__);
  static shared = L(__LINE__);
  other = {
    inner: L(__LINE__),
  };

  constructor({ key, ...rest } = {}, [first, second] = []) {
    L(__LINE__);
    this.rest = rest;
    L(__LINE__);
  }

  get value() {
    return L(__LINE__);
  }

  #hidden(a, b = L(__LINE__)) {
    return [
      L(__LINE__),
      b,
    ];
  }

  async send({ body, headers = L(__LINE__) }) {
    L(__LINE__);
    await null;
    L(__LINE__);
    const sent = await Promise.resolve({
      a: L(__LINE__),
      b: body,
    });
    try {
      L(__LINE__);
      await Promise.reject(new Error('x'));
    } catch (e) {
      L(__LINE__);
    } finally {
      L(__LINE__);
    }
    return this.#hidden(
      sent,
    );
  }

  *pages(n) {
    for (let i = 0; i < n; i++) {
      L(__LINE__);
      yield () => i;
      L(__LINE__);
    }
  }
}

const helper = async ({ a: { b = 1 } = {} }, ...more) => {
  L(__LINE__);
  for (const x of more) {
    L(__LINE__);
    const f = () => x + L(__LINE__);
    await f();
    if (x === 2) {
      L(__LINE__);
      continue;
    }
    L(__LINE__);
  }
  for await (const y of [1]) {
    L(__LINE__);
  }
  switch (b) {
    case 1:
      L(__LINE__);
      break;
    default:
      L(__LINE__);
  }
  return b
    ?? L(__LINE__);
};

function chain(o) {
  return o
    ?.a
    ?.f(L(__LINE__))
    ?.toString();
}

module.exports = async () => {
  const client = new Client({ key: 1 });
  L(__LINE__);
  client.value;
  await client.send({ body: 1 });
  for (const page of client.pages(2)) {
    page();
    L(__LINE__);
  }
  await helper({}, 1, 2);
  chain({
    a: { f: () => L(__LINE__) },
  });
  const r = [1, 2]
    .map((x) => L(__LINE__))
    .filter((x) => {
      L(__LINE__);
      return true;
    });
  const o = {
    ...{ z: L(__LINE__) },
    [`k${L(__LINE__)}`]: L(__LINE__),
    async m() {
      await 0;
      L(__LINE__);
    },
  };
  await o.m();
  if (r.length > 5
    || L(__LINE__)) {
    L(__LINE__);
  } else if (L(__LINE__)) {
    L(__LINE__);
  }
  let n = 0;
  do {
    L(__LINE__);
    n++;
  } while (n < 2
    && !L(__LINE__));
  const late = () => early();
  const early = () => L(__LINE__);
  late();
  outer: for (const a of [1, 2]) {
    for (const b of [1, 2]) {
      const g = () => b;
      if (g() === 2) continue outer;
      await L(__LINE__);
    }
  }
  const v = await L(__LINE__),
    w = await L(__LINE__),
    [x1 = L(__LINE__), {
      y1 = L(__LINE__),
    }] = [undefined, {}];
  n = n > 100
    ? 1
    : L(__LINE__);
  const cond = await 1
    ? await L(__LINE__)
    : 0;
  L(
    __LINE__, await L(__LINE__),
  );
  new Client(
    L(__LINE__) || {},
  );
  throw L(__LINE__);
};
