// A request for a bank that speaks XML.
const ESCAPES = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' };
const escape = (text) => String(text).replace(/[<>&"']/g, (c) => ESCAPES[c]);

const element = (name, value) => {
  if (value === null || value === undefined) return `<${name}/>`;
  if (Array.isArray(value)) return value.map((each) => element(name, each)).join('');
  if (typeof value === 'object') {
    const children = Object.entries(value).map(([key, child]) => element(key, child));
    return `<${name}>${children.join('')}</${name}>`;
  }
  return `<${name}>${escape(value)}</${name}>`;
};

module.exports = async ({ args }) => ({
  body: `<?xml version="1.0" encoding="UTF-8"?>${element('Document', args.body)}`,
  headers: { 'content-type': 'application/xml' },
});
