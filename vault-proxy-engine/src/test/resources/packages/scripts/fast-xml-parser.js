const { XMLParser, XMLBuilder, XMLValidator } = require('fast-xml-parser');
module.exports = async () => { const xml = '<?xml version="1.0"?><a x="1"><b>2</b><b>t &amp; u</b><c/></a>'; const o = new XMLParser({ignoreAttributes:false}).parse(xml); return {body: [o, new XMLBuilder({ignoreAttributes:false, format:true}).build(o), XMLValidator.validate('<a><b></a>'), XMLValidator.validate(xml)]}; };
