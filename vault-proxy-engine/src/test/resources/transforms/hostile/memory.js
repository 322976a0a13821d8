// Attempts to allocate more memory than a worker has.
module.exports = (request) => attacks[request.args.body](request);

const attacks = {
  //= over long
  fill() {
    return new Array(2 ** 31).fill(0);
  },
  //= over long
  pushes() {
    const all = [];
    for (;;) all.push({ all });
  },
  //= over long
  bigIntSquares() {
    let big = 3n;
    for (;;) big *= big;
  },
  //= over long
  bigIntShift() {
    return 1n << 2147483647n;
  },
  //= over long
  doubling() {
    let text = 'xy';
    for (;;) text += text;
  },
  //= over long
  doublingAndLooking() {
    let text = 'xy';
    for (;;) { text += text; text.charCodeAt(1); }
  },
  //= over long
  repeat() {
    return 'x'.repeat(2 ** 28);
  },
  //= over long
  repeatedRepeats() {
    const all = [];
    for (;;) all.push('x'.repeat(2 ** 20));
  },
  //= over | ENGINE_ERROR long
  arrayBuffer() {
    return new ArrayBuffer(2 ** 31 - 1);
  },
  //= over long
  zipBombs() {
    const zlib = require('zlib');
    const bomb = zlib.gzipSync(Buffer.alloc(2 ** 22));
    const all = [];
    for (;;) all.push(zlib.gunzipSync(Buffer.concat([bomb, bomb, bomb])));
  },
  //= over | ENGINE_ERROR long
  zippedAgain() {
    const zlib = require('zlib');
    let data = Buffer.from('x');
    for (;;) data = zlib.deflateRawSync(Buffer.concat([data, data, Buffer.alloc(2 ** 16)]), { level: 0 });
  },
  //= over long
  streamThatNobodyReads() {
    const stream = new (require('stream').PassThrough)();
    for (;;) stream.write('x'.repeat(2 ** 16));
  },
  //= over
  typedArrays() {
    const all = [];
    for (;;) all.push(new Float64Array(2 ** 17));
  },
  // Below the limit of one allocation, but more than the heap of a worker.
  //= OUT_OF_MEMORY
  held() {
    const all = [];
    while (all.length < 150) all.push(Buffer.alloc(2 ** 20));
    return { body: String(all.length) };
  },
  //= over long
  buffers() {
    const all = [];
    for (;;) all.push(Buffer.alloc(2 ** 20));
  },
  //= over | ENGINE_ERROR long
  oneBuffer() {
    return Buffer.alloc(2 ** 30, 'ab');
  },
  //= over | ENGINE_ERROR long
  buffersTogether() {
    const part = Buffer.alloc(2 ** 20);
    return Buffer.concat(new Array(2048).fill(part));
  },
  //= over long
  randomBytes() {
    return require('crypto').randomBytes(2 ** 30);
  },
  //= over long
  padStart() {
    return 'x'.padStart(2 ** 28, 'yz');
  },
  //= over long
  padEnd() {
    return 'x'.padEnd(2 ** 28);
  },
  //= over long
  arraysOfArrays() {
    let all = [];
    for (;;) all = [all, all.slice(), new Array(1000).fill(all)];
  },
  //= over long
  map() {
    const map = new Map();
    for (let i = 0; ; i++) map.set(i, { i });
  },
  //= over long
  weakMap() {
    const map = new WeakMap();
    const keys = [];
    for (;;) { const key = {}; keys.push(key); map.set(key, new Array(100).fill(0)); }
  },
  //= over long
  set() {
    const set = new Set();
    for (let i = 0; ; i++) set.add('key' + i);
  },
  //= over long
  symbols() {
    for (let i = 0; ; i++) Symbol.for('key' + i + 'x'.repeat(1000));
  },
  //= over long
  properties() {
    const object = {};
    for (let i = 0; ; i++) object['key' + i] = i;
  },
  //= over long
  closures() {
    const all = [];
    for (;;) { const held = new Array(100).fill(0); all.push(() => held); }
  },
  //= over long
  promises() {
    const all = [];
    for (;;) all.push(new Promise(() => {}));
  },
  //= over long
  microtasks() {
    for (;;) Promise.resolve().then(() => {});
  },
  //= over long
  timers() {
    for (;;) setTimeout(() => {}, 1e6);
  },
  //= over long
  join() {
    return new Array(2 ** 27).join('xyz');
  },
  //= over long
  replaced() {
    let text = 'x'.repeat(1000);
    for (;;) text = text.replace(/x/g, 'xx');
  },
  //= over long
  concat() {
    let all = [1];
    for (;;) all = all.concat(all);
  },
  //= over long
  spread() {
    let all = [1];
    for (;;) all = [...all, ...all];
  },
  //= over long
  stringify() {
    const wide = new Array(1000).fill('x'.repeat(1000));
    return { body: JSON.stringify(new Array(1000).fill(wide)) };
  },
  //= over long
  parse() {
    return JSON.parse('[' + '[],'.repeat(2 ** 23) + '1]');
  },
  //= over long
  indented() {
    let deep = 1;
    for (let i = 0; i < 900; i++) deep = [deep, 1];
    const all = [];
    for (;;) all.push(JSON.stringify(deep, null, 10));
  },
  //= over long
  encoded() {
    let text = '%';
    for (;;) text = encodeURIComponent(text + text);
  },
  //= over long
  base64() {
    let text = 'x'.repeat(1000);
    for (;;) text = btoa(text + text);
  },
  //= over long
  inspected() {
    let deep = ['x'.repeat(1e6)];
    for (;;) deep = [require('util').inspect(deep, { maxStringLength: null }), deep];
  },
  //= over long
  normalized() {
    let text = '\ufdfa'.repeat(1000);
    for (;;) text = text.normalize('NFKD') + text;
  },
  //= over long
  caught() {
    for (;;) {
      try {
        const all = [];
        for (;;) all.push('x'.repeat(2 ** 16) + all.length);
      } catch (e) {
        continue;
      }
    }
  },
  //= over long
  split() {
    const text = 'x'.repeat(2 ** 23);
    return text.split('').map((each) => [each]);
  },
  //= over long
  structured() {
    let all = [1, 2];
    for (;;) all = [structuredClone(all), structuredClone(all)];
  },
};
