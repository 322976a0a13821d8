// Names of required modules must be literals.
module.exports = (name) => ({
  buffer: () => require('buffer'),
  console: () => require('console'),
  crypto: () => require('crypto'),
  querystring: () => require('querystring'),
  url: () => require('url'),
  util: () => require('util'),
  'vault-errors': () => require('vault-errors'),
  'node:util': () => require('node:util'),
})[name]();
