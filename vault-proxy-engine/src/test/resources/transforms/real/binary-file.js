// A fixed-width record file from a Buffer, with a header of big-endian numbers.
module.exports = async ({ args }) => {
  const records = args.body.records.map(({ account, cents, name }) => {
    const record = Buffer.alloc(32, ' ');
    record.write(account, 0, 10, 'latin1');
    record.writeInt32BE(cents, 10);
    record.write(name, 14, 'utf8');
    return record;
  });
  const header = Buffer.alloc(8);
  header.writeUInt16BE(0xcafe, 0);
  header.writeUInt32LE(records.length, 2);
  return {
    body: Buffer.concat([header, ...records]),
    headers: { 'content-type': 'application/octet-stream' },
  };
};
