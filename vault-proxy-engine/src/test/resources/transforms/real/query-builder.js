// A signed query in alphabetical order, as an exchange wants it.
const { createHmac } = require('crypto');

module.exports = async ({ args, configuration }) => {
  const params = new URLSearchParams(args.query);
  for (const [key, value] of Object.entries(args.body)) params.append(key, String(value));
  params.sort();
  const url = new URL('/v2/orders', configuration.BASE);
  url.search = params.toString();
  const signature = createHmac('sha256', configuration.SECRET).update(url.search.slice(1)).digest('hex');
  return {
    body: null,
    headers: { 'x-url': url.href, 'x-host': url.host, 'x-signature': signature, 'x-params': [...params.keys()].join() },
  };
};
