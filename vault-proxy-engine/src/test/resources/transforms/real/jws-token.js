// A signed token (RFC 7515, HS256) for a partner's API.
const crypto = require('crypto');

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

module.exports = async function transform({ args, configuration }) {
  const now = Number(configuration.NOW);
  const header = { alg: 'HS256', typ: 'JWT' };
  const claims = { iss: configuration.ISSUER, iat: now, exp: now + 60, sub: args.body?.user?.id ?? 'nobody' };
  const input = [header, claims].map(encode).join('.');
  const signature = crypto.createHmac('sha256', Buffer.from(configuration.KEY, 'base64')).update(input).digest('base64url');
  return { body: args.body, headers: Object.assign({}, args.headers, { authorization: `Bearer ${input}.${signature}` }) };
};
