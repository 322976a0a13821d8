const {default: pRetry, AbortError} = require('p-retry');
module.exports = async () => {
  const seen = [];
  const made = await pRetry(async (n) => { if (n < 3) { throw new Error('try ' + n); } return 'ok' + n; }, {retries: 4, minTimeout: 1, factor: 1, onFailedAttempt: ({error, attemptNumber, retriesLeft}) => seen.push([error.message, attemptNumber, retriesLeft])});
  const failed = await pRetry(() => { throw new AbortError('stop'); }, {retries: 3}).catch((error) => error);
  return {body: [made, seen, failed.name, failed.message]};
};
