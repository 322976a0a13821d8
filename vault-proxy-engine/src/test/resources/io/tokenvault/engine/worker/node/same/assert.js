var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var assert = require('assert');
function failing(name, run) {
  check(name, function () {
    try {
      run();
    } catch (e) {
      return [e.name, e.code, e.message, e.operator, e instanceof assert.AssertionError, e instanceof Error];
    }
    return 'passes';
  });
}
failing('true', function () { assert(1); assert.ok('x', 'text'); assert.strict(true); });
failing('text', function () { assert(false, 'a text'); });
failing('ok with text', function () { assert.ok(0, 'another'); });
failing('no argument', function () { assert.ok(); });
failing('error as text', function () { assert(null, new RangeError('own')); });
failing('equal', function () { assert.equal(1, '1'); assert.equal(NaN, NaN); assert.equal(1, 2); });
failing('not equal', function () { assert.notEqual(1, 2); assert.notEqual('1', 1); });
failing('strict numbers', function () { assert.strictEqual(1, 2); });
failing('strict texts', function () { assert.strictEqual(1, '1'); });
failing('strict NaN', function () { assert.strictEqual(NaN, NaN); });
failing('not strict', function () { assert.notStrictEqual(1, 1); });
failing('too few', function () { assert.strictEqual(1); });
failing('deep', function () { assert.deepEqual({ a: [1, { b: '2' }] }, { a: ['1', { b: 2 }] }); });
failing('deep strict', function () { assert.deepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }); });
check('own text', function () {
  try {
    assert.deepStrictEqual([1, 2], [1, 3], 'lists');
  } catch (e) {
    return [e.message.split('\n')[0], e.generatedMessage, e.actual, e.expected];
  }
});
failing('deep loose differs', function () { assert.deepEqual({ a: 1 }, { a: 2 }); });
failing('not deep', function () { assert.notDeepStrictEqual({ a: 1 }, { a: '1' }); assert.notDeepStrictEqual({ a: 1 }, { a: 1 }); });
failing('not deep loose', function () { assert.notDeepEqual({ a: 1 }, { a: '1' }); });
failing('not deep text', function () { assert.notDeepStrictEqual('a', 'a'); });
failing('not same object', function () { var o = { a: [] }; assert.notStrictEqual(o, o); });
failing('deep with number', function () { assert.deepEqual({ a: { b: [1, 2] } }, 3); });
failing('strict number', function () { assert.deepStrictEqual(1, 2); });
[
  [new Date(1), new Date(1)], [new Date(1), new Date(2)], [/a/g, /a/g], [/a/g, /a/i],
  [new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])], [new Map([[1, 2]]), new Map([[1, 3]])],
  [new Set([{ a: 1 }, { b: 2 }]), new Set([{ b: 2 }, { a: 1 }])], [new Set([1]), new Set(['1'])],
  [[1, , 3], [1, undefined, 3]], [{ a: undefined }, {}], [new Error('a'), new Error('a')], [new Error('a'), new Error('b')],
  [Object.create(null), {}], [Buffer.from('ab'), Buffer.from('ab')], [Buffer.from('ab'), new Uint8Array([97, 98])],
  [new Number(1), new Number(1)], [new Number(1), 1], [null, undefined], [null, {}], ['a', ['a']], [[], {}],
  [Symbol.iterator, Symbol.iterator], [1n, 1], [new Float64Array([0]), new Float64Array([-0])], [{ a: NaN }, { a: NaN }]
].forEach(function (pair, index) {
  function holds(name) {
    try {
      assert[name](pair[0], pair[1]);
      return true;
    } catch (e) {
      return e.code;
    }
  }
  results['pair ' + index] = ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'notDeepEqual', 'notDeepStrictEqual'].map(holds);
});
check('cycles', function () {
  var a = { n: 1 };
  a.self = a;
  var b = { n: 1 };
  b.self = b;
  assert.deepStrictEqual(a, b);
  return 'equal';
});
failing('fail', function () { assert.fail(); });
failing('fail with text', function () { assert.fail('no way'); });
failing('if error', function () { assert.ifError(null); assert.ifError(undefined); assert.ifError(new Error('there is one')); });
failing('if error of text', function () { assert.ifError('text'); });
failing('match', function () { assert.match('abc', /b/); assert.match('abc', /x/); });
failing('does not match', function () { assert.doesNotMatch('abc', /x/); assert.doesNotMatch('abc', /b/); });
failing('match of no text', function () { assert.match(5, /x/); });
failing('match of no pattern', function () { assert.match('a', 'a'); });
function thrower(error) {
  return function () { throw error; };
}
failing('throws', function () {
  assert.throws(thrower(new Error('x')));
  assert.throws(thrower(new TypeError('x')), TypeError);
  assert.throws(thrower(new Error('abc')), /b/);
  assert.throws(thrower(new Error('abc')), { message: 'abc' });
  assert.throws(thrower(new Error('abc')), { message: /b/, name: 'Error' });
  assert.throws(thrower(new Error('abc')), function (e) { return e.message === 'abc'; });
  assert.throws(thrower(new Error('abc')), 'a text');
});
failing('throws nothing', function () { assert.throws(function () {}); });
failing('throws nothing of class', function () { assert.throws(function () {}, RangeError, 'hint'); });
failing('throws nothing with text', function () { assert.throws(function () {}, 'hint'); });
failing('throws another class', function () { assert.throws(thrower(new Error('abc')), TypeError); });
failing('throws another text', function () { assert.throws(thrower(new Error('abc')), /x/); });
failing('throws without function', function () { assert.throws('text'); });
failing('throws with wrong expectation', function () { assert.throws(thrower(new Error('abc')), 5); });
failing('does not throw', function () { assert.doesNotThrow(function () {}); assert.doesNotThrow(thrower(new Error('abc'))); });
failing('does not throw with text', function () { assert.doesNotThrow(thrower(new Error('abc')), 'hint'); });
failing('strict module', function () { require('assert/strict').equal(1, '1'); });
check('modules', function () {
  return [assert.strict === require('assert').strict, assert.strict.strict === assert.strict, require('node:assert') === assert,
    assert.strict.equal === assert.strictEqual, assert.strict.deepEqual === assert.deepStrictEqual, typeof assert.strict];
});
check('error of one\'s own', function () {
  var e = new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
  return [e.name, e.code, e.message, e.actual, e.expected, e.operator, e.generatedMessage, String(e)];
});
check('error without options', function () {
  return new assert.AssertionError();
});
module.exports = function () {
  function outcome(promise) {
    return promise.then(function () {
      return 'fulfilled';
    }, function (e) {
      return [e.name, e.code, e.message, e.operator];
    });
  }
  return Promise.all([
    outcome(assert.rejects(Promise.reject(new TypeError('x')), TypeError)),
    outcome(assert.rejects(function () { return Promise.reject(new Error('abc')); }, /b/)),
    outcome(assert.rejects(Promise.resolve(1))),
    outcome(assert.rejects(Promise.resolve(1), 'hint')),
    outcome(assert.rejects(5)),
    outcome(assert.rejects(function () { return 5; })),
    outcome(assert.doesNotReject(Promise.resolve(1))),
    outcome(assert.doesNotReject(Promise.reject(new Error('abc')))),
  ]).then(function (all) {
    results.promises = all;
    return { body: results };
  });
};
