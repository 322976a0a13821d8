// Own error classes, rethrown, with finally.
class ProviderError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = 'ProviderError';
    this.code = code;
    this.status = code === 'declined' ? 402 : 502;
  }
}

module.exports = async ({ args }) => {
  const steps = [];
  const attempt = async (n) => {
    steps.push(`try ${n}`);
    if (args.body.failures >= n) throw new ProviderError(args.body.code, `failed ${n} times`);
    return `done after ${n}`;
  };
  for (let n = 1; ; n++) {
    try {
      return { body: { result: await attempt(n), steps } };
    } catch (error) {
      if (!(error instanceof ProviderError) || n === 3) throw error;
      steps.push(error.code);
    } finally {
      steps.push(`end ${n}`);
    }
  }
};
