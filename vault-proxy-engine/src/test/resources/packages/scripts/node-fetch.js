const fetch = require('node-fetch');
module.exports = async ({args}) => {
  const r = await fetch(args.body.url + '/a?b=1', {method: 'POST', body: JSON.stringify({a: 'é'}), headers: {'Content-Type': 'application/json', 'X-A': '1'}});
  return {body: [r.status, r.ok, r.headers.get('content-type'), await r.json(), new fetch.Headers({A: 'b'}).get('a')]};
};
