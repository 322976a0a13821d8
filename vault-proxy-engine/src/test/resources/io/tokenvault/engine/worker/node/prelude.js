// Runs before each script, in Node.js and in the vault; collects the results of checks as JSON.
var results = {};

function shown(value) {
  if (value === undefined) return { undefined: true };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (typeof value === 'function') return { function: value.name };
  if (typeof value === 'number' && (!isFinite(value) || Object.is(value, -0))) {
    return { number: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (value === null || typeof value !== 'object') return value;
  if (Buffer.isBuffer(value)) return { buffer: value.toString('hex') };
  if (value instanceof Uint8Array) return { bytes: Array.prototype.join.call(value) };
  if (value instanceof ArrayBuffer) return { memory: Buffer.from(value).toString('hex') };
  if (Array.isArray(value)) return value.map(shown);
  var copy = {};
  Object.keys(value).forEach(function (key) { copy[key] = shown(value[key]); });
  return copy;
}

function check(name, run) {
  if (Object.prototype.hasOwnProperty.call(results, name)) throw new Error('twice: ' + name);
  try {
    results[name] = shown(run());
  } catch (e) {
    results[name] = {
      thrown: e.name,
      code: e.code === undefined ? null : e.code,
      message: e.message,
      isError: e instanceof Error,
      keys: Object.keys(e)
    };
  }
}

// One line for each check, so that a difference shows its name.
function report() {
  return '{\n' + Object.keys(results).map(function (name) {
    return JSON.stringify(name) + ': ' + JSON.stringify(results[name]);
  }).join(',\n') + '\n}\n';
}
