// Signs the body as many payment providers ask for it.
const crypto = require('crypto');

const sign = (secret, timestamp, payload) =>
  crypto.createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');

module.exports = async ({ args, configuration }) => {
  const payload = JSON.stringify(args.body);
  const timestamp = configuration.TIMESTAMP;
  return {
    body: args.body,
    headers: {
      ...args.headers,
      'x-timestamp': timestamp,
      'x-signature': `t=${timestamp},v1=${sign(configuration.SECRET, timestamp, payload)}`,
    },
  };
};
