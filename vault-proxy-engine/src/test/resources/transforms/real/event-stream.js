// An async generator over pages, with for await.
async function* pages(items, size) {
  try {
    for (let at = 0; at < items.length; at += size) {
      yield await Promise.resolve(items.slice(at, at + size));
    }
  } finally {
    items.closed = true;
  }
}

module.exports = async ({ args }) => {
  const { items } = args.body;
  const found = [];
  for await (const page of pages(items, 2)) {
    if (page.includes('stop')) break;
    found.push(...page.map((each) => each.toUpperCase()));
  }
  return { body: { found, closed: items.closed === true } };
};
