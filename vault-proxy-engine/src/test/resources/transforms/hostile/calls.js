// Too many calls of the vault and the network, and calls whose results are not awaited.
module.exports = (request) => attacks[request.args.body](request);

const attacks = {
  //= throws 500 {"error":["Too many calls of bt and fetch: at most 10 an invocation"]}
  async oneTooMany({ bt }) {
    for (let i = 0; i <= 10; i++) await bt.tokens.retrieve('id');
  },
  //= throws 500 {"error":["Too many calls of bt and fetch: at most 10 an invocation"]} long
  allAtOnce({ bt }) {
    return Promise.all(Array.from({ length: 1000 }, () => bt.tokens.retrieve('id')));
  },
  //= time long
  async againAndAgain({ bt }) {
    for (;;) await bt.tokens.retrieve('id').catch(() => {});
  },
  //= returns done long
  notAwaited({ bt }) {
    for (let i = 0; i < 9; i++) bt.tokens.retrieve('id');
    return { body: 'done' };
  },
  //= returns done
  fewNotAwaited({ bt }) {
    for (let i = 0; i < 10; i++) bt.tokens.retrieve('id');
    return { body: 'done' };
  },
  //= returns done long
  afterReturn({ bt }) {
    setTimeout(() => bt.tokens.retrieve('late'), 0);
    Promise.resolve().then(() => {}).then(() => {}).then(() => bt.tokens.retrieve('late'));
    return { body: 'done' };
  },
  //= returns id
  async ownReply({ bt }) {
    return { body: (await bt.tokens.retrieve('id')).id };
  },
  //= time long
  slowReply({ bt }) {
    return bt.tokens.retrieve('slow');
  },
  //= over | DIED | ENGINE_ERROR | returns refused long
  async hugeArguments({ bt }) {
    return bt.tokens.create({ type: 'token', data: 'x'.repeat(17 * 2 ** 20) }).then(
      () => ({ body: 'kept' }), () => ({ body: 'refused' }));
  },
  //= returns ["bt.tokens.retrieve"]
  async otherOperations({ bt }) {
    const used = [];
    for (const name of ['constructor', '__proto__', 'call', 'host', 'operation']) {
      try { await bt.tokens[name]('x'); } catch (e) { used.push(typeof e); }
      try { await bt[name]('x'); } catch (e) { used.push(typeof e); }
    }
    await bt.tokens.retrieve({ toString: () => '../../x' }).catch(() => {});
    return { body: ['bt.tokens.retrieve'] };
  },
};
