// An answer of an old card system, as JSON.
const field = (xml, name) => {
  const match = new RegExp(`<${name}(?:\\s[^>]*)?>(?<value>[\\s\\S]*?)</${name}>`).exec(xml);
  return match?.groups.value.trim() ?? null;
};

exports.default = async ({ args: { body, headers } }) => {
  const names = ['ApprovalCode', 'ResponseCode', 'Amount', 'Missing'];
  const entries = names.map((name) => [name[0].toLowerCase() + name.slice(1), field(body, name)]);
  return {
    body: { ...Object.fromEntries(entries), approved: field(body, 'ResponseCode') === '00' },
    headers: { 'content-type': 'application/json', 'x-original': headers['content-type'] },
  };
};
