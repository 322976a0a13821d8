// A module of a single file that has state.
let count = 0;
class Counter {
  static #made = 0;
  constructor() { Counter.#made += 1; }
  static get made() { return Counter.#made; }
  next() { count += 1; return count; }
}
module.exports = new Counter();
module.exports.Counter = Counter;
