// A token endpoint that takes a form and Basic credentials.
const querystring = require('querystring');

module.exports = async function (req) {
  const { CLIENT_ID, CLIENT_SECRET } = req.configuration;
  const credentials = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64');
  return {
    body: querystring.stringify({ grant_type: 'client_credentials', scope: req.args.body.scopes }),
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  };
};
