// Regular expressions with catastrophic backtracking.
module.exports = (request) => attacks[request.args.body](request);

const many = (text, count) => text.repeat(count) + '!';

const attacks = {
  //= over long
  nested() {
    return /^(a+)+$/.test(many('a', 40));
  },
  //= over long
  alternatives() {
    return /^(a|a)*$/.test(many('a', 40));
  },
  //= over long
  overlapping() {
    return /^(a|aa)+$/.test(many('a', 60));
  },
  //= over long
  mail() {
    return /^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$/.test(many('a', 60));
  },
  //= over long
  backReference() {
    return /^(a*)*\1\1\1b$/.test(many('a', 40));
  },
  //= over long
  lookahead() {
    return /^(?=(a+)+$)a/.test(many('a', 40));
  },
  //= over long
  lookbehind() {
    return /(?<=^(a|a)*)b/.test(`!${many("a", 40)}b`);
  },
  //= over long
  polynomial() {
    for (;;) /\s+$/.test(' '.repeat(20000) + 'x');
  },
  //= over long
  replaceAll() {
    return many('a', 40).replace(/(a+)+$/g, '$&$&');
  },
  //= over long
  split() {
    return many('a', 40).split(/(a+)+$/);
  },
  //= over long
  matchAll() {
    return [...many('a', 40).matchAll(/(a+)+$/g)];
  },
  //= over long
  search() {
    return many('a', 40).search(/(x+x+)+y|(a+)+$/);
  },
  //= over long
  sticky() {
    const re = /(a+)+$/y;
    return re.exec(many('a', 40));
  },
  //= over long
  made() {
    return new RegExp('(' + 'a?'.repeat(40) + 'a{40})+$').test(many('a', 39));
  },
  //= over long
  emptyLoop() {
    return new RegExp('(?:a?){0,1000}'.repeat(20) + 'b').test('a'.repeat(30));
  },
};
