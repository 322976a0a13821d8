const {Readable, Transform, Writable, pipeline} = require('readable-stream');
module.exports = async () => {
  const upper = new Transform({transform(chunk, encoding, done) { done(null, chunk.toString().toUpperCase()); }});
  const out = [];
  await new Promise((resolve, reject) => pipeline(Readable.from(['q', 'w']), upper, new Writable({write(chunk, encoding, done) { out.push(chunk.toString()); done(); }}), (error) => (error ? reject(error) : resolve())));
  for await (const chunk of Readable.from(['a', 'b'])) { out.push(chunk); }
  return {body: out};
};
