// Runs each script of this folder in Node.js and prints the bodies that it returns, by name. Writes
// the validator that the script for Ajv requires, since Ajv generates code from a schema.
const fs = require('fs');
const path = require('path');

const [, , url, modules] = process.argv;
const Ajv = require('ajv');
const standalone = require('ajv/dist/standalone').default;

const ajv = new Ajv({ allErrors: true, code: { source: true } });
const schema = {
  type: 'object',
  required: ['card', 'kind'],
  additionalProperties: false,
  properties: {
    card: { type: 'string', minLength: 13, pattern: '^[0-9]+$' },
    kind: { enum: ['a', { b: [1, 2] }] },
    url: { type: 'string' },
    tags: { type: 'array', uniqueItems: true, items: { type: 'object' } },
  },
};
fs.writeFileSync(path.join(modules, 'card-schema.js'), standalone(ajv, ajv.compile(schema)));

const Module = require('module');
const original = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  (name === 'card-schema' ? path.join(modules, 'card-schema.js') : original(name, ...rest));

async function all() {
  const results = {};
  const folder = path.join(__dirname, 'scripts');
  for (const file of fs.readdirSync(folder)) {
    try {
      const transform = require(path.join(folder, file));
      const { body } = await transform({ args: { body: { card: '4242424242424242', url } } });
      results[file] = JSON.stringify(body);
    } catch (error) {
      // Node.js before 20.19 cannot require ES modules.
      if (error.code !== 'ERR_REQUIRE_ESM') {
        throw error;
      }
    }
  }
  console.log(JSON.stringify(results));
}

all();
