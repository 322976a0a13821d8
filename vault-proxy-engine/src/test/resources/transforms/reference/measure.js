// Measures Node.js: node measure.js SCRIPT BODY CONTEXT ROUNDS; prints p50 and p99 in microseconds.
const fs = require('fs');
const [script, body, context, rounds] = process.argv.slice(2);
const transform = require(script);
const text = fs.readFileSync(body, 'utf8');

(async () => {
  const took = [];
  for (let i = 0; i < Number(rounds) + 2000; i++) {
    const begin = process.hrtime.bigint();
    const { configuration, ...args } = JSON.parse(context);
    const result = await transform({ args: { body: JSON.parse(text), ...args }, configuration });
    JSON.stringify(result.body);
    JSON.stringify(result.headers);
    took.push(Number(process.hrtime.bigint() - begin) / 1000);
  }
  const warm = took.slice(2000).sort((a, b) => a - b);
  console.log(warm[Math.floor(warm.length * 0.5)], warm[Math.floor(warm.length * 0.99)]);
})();
