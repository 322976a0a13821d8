// Request and response headers.
exports.default = function ({ args: { headers }, configuration: { kind } }) {
  const made = {
    same: () => headers,
    undef: () => undefined,
    nil: () => null,
    empty: () => ({}),
    list: () => ({ 'x-list': ['1', 2, true], 'x-empty': [] }),
    single: () => ({ 'x-one': ['only'] }),
    numbers: () => ({ 'x-n': 1e21, 'x-z': 0, 'x-b': false, 'x-f': 0.1 }),
    nulls: () => ({ 'x-null': null, 'x-undef': undefined, 'x-kept': '' }),
    upper: () => ({ 'X-Upper': 'A', 'x-upper': 'b' }),
    deleted: () => {
      delete headers['x-a'];
      return headers;
    },
    order: () => ({ z: '1', a: '2', 10: '3', 9: '4' }),
    merged: () => ({ ...headers, 'x-a': 'changed', 'x-new': `${headers['x-b']}!` }),
    map: () => new Map([['a', 'b']]),
    array: () => [['a', 'b']],
    text: () => 'a: b',
    func: () => () => 1,
    object: () => ({ 'x-o': { a: 1 } }),
    nested: () => ({ 'x-o': [['a']] }),
    symbol: () => ({ 'x-s': Symbol('x') }),
    inherited: () => Object.create({ 'x-no': '1' }, { 'x-yes': { value: '2', enumerable: true } }),
    getter: () => ({ get 'x-g'() { return 'got'; } }),
    int: () => ({ 'x-i': 2n ** 64n }),
    date: () => ({ 'x-d': new Date(0) }),
    proto: () => JSON.parse('{"__proto__": "x", "constructor": "y"}'),
  };
  return kind === 'left' ? { body: 1 } : { body: 1, headers: made[kind]() };
};
