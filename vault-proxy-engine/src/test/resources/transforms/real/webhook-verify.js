// Lets an answer through only with the right signature.
const crypto = require('crypto');
const { AuthenticationError } = require('vault-errors');

module.exports = async ({ args, configuration }) => {
  const given = Buffer.from(args.headers['x-signature'] || '', 'base64');
  const expected = crypto.createHmac('sha512', configuration.SECRET).update(args.body).digest();
  if (given.length !== expected.length || !crypto.timingSafeEqual(given, expected)) {
    throw new AuthenticationError('The signature does not match');
  }
  const event = JSON.parse(args.body);
  return { body: { id: event.id, kind: event.type.split('.')[0] }, headers: {} };
};
