// Batches with a checksum each; labels and loops as people write them.
const chunk = (items, size) => {
  const chunks = [];
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size));
  return chunks;
};

module.exports = async ({ args, configuration: { SIZE = '2' } }) => {
  const seen = new Set();
  const unique = [];
  outer: for (const item of args.body.items) {
    for (const key of ['id', 'reference']) {
      if (!(key in item)) continue outer;
    }
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    unique.push(item);
  }
  const batches = chunk(unique, Number(SIZE)).map((items, index) => ({
    index,
    items,
    checksum: items.reduce((sum, { id }) => (sum * 31 + id) >>> 0, 7),
  }));
  const later = [];
  for (let i = 0; i < batches.length; i++) later.push(() => i * 10);
  return { body: { batches, skipped: args.body.items.length - unique.length, later: later.map((f) => f()) } };
};
