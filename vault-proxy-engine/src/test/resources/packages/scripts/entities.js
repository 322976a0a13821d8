const e = require('entities');
module.exports = async () => ({body: [e.encodeXML('<é&>'), e.decodeHTML('&lt;&eacute;&#128512;&notit;'), e.escapeUTF8('<"&>'), e.encodeHTML('é©'), e.decodeXML('&amp;&#x41;'), e.encodeNonAsciiHTML('é<')]});
