// Attacks on the server by a transform, one for each request.
const attacks = {
  whileTrue() {
    for (;;);
  },
  microtasks() {
    const again = () => Promise.resolve().then(again);
    return again();
  },
  memory() {
    return new Array(2 ** 31).fill(0);
  },
  oneText() {
    return 'x'.repeat(2 ** 28);
  },
  regex() {
    return /^(a|a)*$/.test(`${'a'.repeat(60)}!`);
  },
  stack() {
    return attacks.stack() + 1;
  },
  neverSettles() {
    return new Promise(() => {});
  },
  hugeBody() {
    return { body: 'x'.repeat(12 * 2 ** 20) };
  },
  splitHeader() {
    return { headers: { 'x-a': 'b\r\nx-split: 1' } };
  },
  manyHeaders() {
    return { headers: { 'x-a': new Array(5000).fill('b') } };
  },
  longHeader() {
    return { headers: { 'x-a': 'b'.repeat(200000) } };
  },
  proxyThrown() {
    throw new Proxy({}, { get: () => { throw null; } });
  },
  engineText() {
    return JSON.parse('card 4111');
  },
  harmless() {
    return { body: { seen: [typeof globalThis.card, typeof [].card] } };
  },
  pollutes() {
    globalThis.card = '4111';
    Object.prototype.card = '4111';
    return { body: { seen: [] } };
  },
};

module.exports = (request) => attacks[request.args.body.attack](request);
