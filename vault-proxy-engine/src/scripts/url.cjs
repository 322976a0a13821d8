// The classes of the URL standard.
require('core-js-pure/modules/web.url.js');
module.exports = require('core-js-pure/internals/path.js');
