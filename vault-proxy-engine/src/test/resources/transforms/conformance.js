// Runs the transforms of this folder in Node.js and prints the result of each case by name. With
// "--write", it writes the results to the files that the test reads.
const fs = require('fs');
const path = require('path');
const util = require('util');
const Module = require('module');

const root = __dirname;
const write = process.argv.includes('--write');

class Refusal extends Error {
  constructor(given, status, name) {
    const list = (value) => (Array.isArray(value) ? value : [value]).map((each) => (each instanceof Error ? each.message : String(each)));
    const grouped = given !== null && typeof given === 'object' && !Array.isArray(given) && !(given instanceof Error);
    const errors = grouped ? Object.fromEntries(Object.entries(given).map(([key, value]) => [key, list(value)])) : { error: list(given) };
    super(Object.values(errors).join('; '));
    Object.assign(this, { name, status, errors });
  }
}

const refusal = (name, status) => ({ [name]: class extends Refusal { constructor(given) { super(given, status, name); } } });

class CustomHttpResponseError extends Error {
  constructor(answer) {
    super('answer');
    this.answer = answer;
  }
}

const errors = Object.assign(
  {},
  refusal('BadRequestError', 400),
  refusal('AuthenticationError', 401),
  refusal('AuthorizationError', 403),
  refusal('NotFoundError', 404),
  refusal('RateLimitError', 429),
  { CustomHttpResponseError },
);
Object.assign(globalThis, errors);
const original = Module._load;
Module._load = (name, ...rest) => (name === 'vault-errors' ? errors : original(name, ...rest));

let lines = [];
let indent = '';
const say = (level) => (...args) => {
  lines.push([level, util.format(...args).replace(/^|\n/g, (at) => at + indent)]);
};
const said = { log: say('log'), warn: say('warn'), error: say('error'), info: say('info'), debug: say('debug') };
Object.assign(console, said, {
  group: (...args) => { said.log(...args); indent += '  '; },
  groupEnd: () => { indent = indent.slice(2); },
});

function bodyOf(body) {
  if (body === undefined) return { kind: 'ABSENT', body: '' };
  if (body === null) return { kind: 'NONE', body: '' };
  if (typeof body === 'string') return { kind: 'TEXT', body: Buffer.from(body).toString() };
  if (ArrayBuffer.isView(body)) return { kind: 'BINARY', body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64') };
  if (body instanceof ArrayBuffer) return { kind: 'BINARY', body: Buffer.from(body).toString('base64') };
  const json = JSON.stringify(body);
  if (json === undefined) throw new Error('nothing to send');
  return { kind: 'JSON', body: json };
}

function headersOf(headers) {
  if (headers === undefined || headers === null) return headers === null ? 'null' : null;
  if (typeof headers !== 'object' || headers[Symbol.iterator]) throw new Error('no headers');
  const text = (value) => {
    if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value)) throw new Error('no header');
    return String(value);
  };
  const made = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    made.push(`${JSON.stringify(name)}:${JSON.stringify(Array.isArray(value) ? value.map(text) : text(value))}`);
  }
  return `{${made.join(',')}}`;
}

// Converts a result as the vault does. Reading it may fail; that is not an error of the transform.
function returned(result) {
  try {
    if (typeof result !== 'object' || result === null || Array.isArray(result)) throw new Error('no object');
    return { ...bodyOf(result.body), headers: headersOf(result.headers) };
  } catch (e) {
    return { failed: 'BAD_RESULT', line: 0 };
  }
}

function place(error) {
  const frame = String(error && error.stack).split('\n').find((line) => line.includes(root) && !line.includes(__filename));
  const at = /([^/\\]+\.js):(\d+):\d+\)?$/.exec(frame || '');
  return at ? Number(at[2]) : 0;
}

const ENGINE = [TypeError, RangeError, ReferenceError, SyntaxError, URIError];

function thrown(error) {
  if (error instanceof CustomHttpResponseError) {
    const { status, headers = {}, body = null } = error.answer;
    return { answered: status, ...bodyOf(body), headers: headersOf(headers) };
  }
  if (ENGINE.some((each) => error instanceof each)) return { failed: 'ENGINE_ERROR', line: place(error) };
  const text = error instanceof Error ? error.message : error;
  const given = error === null || error === undefined ? undefined : error.status;
  const status = Number.isInteger(given) && given >= 400 && given <= 599 ? given : 500;
  const told = error instanceof Refusal ? error.errors : { error: [typeof text === 'string' && text !== '' ? text : 'Transform failed'] };
  return { threw: status, errors: JSON.stringify(told), line: place(error) };
}

const bt = {
  tokens: {
    create: async ({ searchIndexes, ...token }) => ({ id: `tok_${JSON.stringify([{ ...token, ...(searchIndexes ? { search_indexes: searchIndexes } : {}) }]).length}` }),
  },
};

const NEVER = {};

async function run(fn, { args, configuration, binary, ...given }) {
  const body = binary === undefined ? args.body : Buffer.from(binary, 'base64');
  const request = { args: { method: 'POST', path: '/', query: '', ...args, ...('body' in args || binary !== undefined ? { body } : { body: null }) }, configuration, ...(given.bt ? { bt } : {}) };
  lines = [];
  let outcome;
  try {
    // Resolves when no pending work is left that could settle the result.
    const over = new Promise((resolve) => { process.once('beforeExit', () => setImmediate(resolve, NEVER)); });
    const result = await Promise.race([fn(request), over]);
    outcome = result === NEVER ? { failed: 'NEVER_SETTLES', line: 0 } : returned(result);
  } catch (error) {
    outcome = thrown(error);
  }
  process.removeAllListeners('beforeExit');
  return lines.length > 0 ? { ...outcome, console: lines } : outcome;
}

(async () => {
  const all = {};
  for (const folder of ['real', 'surface']) {
    for (const file of fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.js')).sort()) {
      const name = `${folder}/${file.slice(0, -3)}`;
      const exported = require(path.join(root, folder, file));
      const fn = typeof exported === 'function' ? exported : exported.default;
      const results = [];
      for (const one of JSON.parse(fs.readFileSync(path.join(root, `${name}.cases.json`)))) {
        results.push(await run(fn, one));
      }
      all[name] = results;
      if (write) fs.writeFileSync(path.join(root, `${name}.expected.json`), `${JSON.stringify(results, null, 1)}\n`);
    }
  }
  if (!write) fs.writeSync(1, JSON.stringify(all));
  process.exit(0);
})();
