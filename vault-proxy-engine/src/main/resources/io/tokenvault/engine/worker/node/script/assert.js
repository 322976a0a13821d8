// The module assert.
(function (host, load) {
  'use strict';
  var inspect = load('inspect').inspect;
  var same = load('deep-equal').equal;
  var hide = load('define').hide;
  var typeError = load('inspect').wrongArgument;

  var RELATIONS = {
    deepEqual: 'Expected values to be loosely deep-equal:',
    deepStrictEqual: 'Expected values to be strictly deep-equal:',
    strictEqual: 'Expected values to be strictly equal:',
    notDeepEqual: 'Expected values not to be loosely deep-equal:',
    notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
    notStrictEqual: 'Expected "actual" to be strictly unequal to:',
    notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":'
  };

  // What stands between the two values.
  var VERBS = {
    deepEqual: 'should loosely deep-equal',
    deepStrictEqual: 'should strictly deep-equal',
    strictEqual: 'should strictly equal',
    notDeepEqual: 'should not loosely deep-equal'
  };

  function isObject(value) {
    return value !== null && (typeof value === 'object' || typeof value === 'function');
  }

  function shown(value) {
    return load('inspect').inspect(value, {
      compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, showProxy: false, sorted: true, getters: true
    });
  }

  function compared(actual, expected, operator) {
    var relation = RELATIONS[operator === 'notStrictEqual' && isObject(actual) ? 'notStrictEqualObject' : operator];
    if (operator === 'notStrictEqual' || operator === 'notDeepStrictEqual') {
      return isObject(actual) ? relation + '\n\n' + shown(actual) + '\n' : relation + ' ' + shown(actual);
    }
    if ((operator === 'strictEqual' || operator === 'deepStrictEqual') && !isObject(actual) && !isObject(expected)) {
      return relation + '\n\n' + shown(actual) + ' !== ' + shown(expected) + '\n';
    }
    return relation + '\n\n' + shown(actual) + '\n\n' + VERBS[operator] + '\n\n' + shown(expected);
  }

  function AssertionError(options) {
    if (options === null || typeof options !== 'object') {
      throw typeError('options', 'of type object', options);
    }
    var generated = options.message === undefined || options.message === null;
    var operator = options.operator;
    var message = !generated ? String(options.message)
        : RELATIONS[operator] ? compared(options.actual, options.expected, operator)
        : inspect(options.actual) + ' ' + operator + ' ' + inspect(options.expected);
    var error = new Error(message);
    Object.setPrototypeOf(error, this instanceof AssertionError ? Object.getPrototypeOf(this) : AssertionError.prototype);
    error.generatedMessage = generated;
    error.code = 'ERR_ASSERTION';
    error.actual = options.actual;
    error.expected = options.expected;
    error.operator = operator;
    return error;
  }
  Object.setPrototypeOf(AssertionError, Error);
  AssertionError.prototype = Object.create(Error.prototype);
  hide(AssertionError.prototype, 'constructor', AssertionError);
  hide(AssertionError.prototype, 'name', 'AssertionError');
  hide(AssertionError.prototype, 'toString', function () {
    return this.name + ' [' + this.code + ']: ' + this.message;
  });

  // The error of a failed assertion; a message that is an error is thrown itself.
  function failed(actual, expected, message, operator, otherwise) {
    if (message instanceof Error) {
      return message;
    }
    var generated = message === undefined || message === null;
    var error = new AssertionError({
      actual: actual, expected: expected, operator: operator, message: generated ? otherwise : message
    });
    error.generatedMessage = generated;
    return error;
  }

  function needTwo(args) {
    if (args.length < 2) {
      var error = new TypeError('The "actual" and "expected" arguments must be specified');
      error.code = 'ERR_MISSING_ARGS';
      throw error;
    }
  }

  function comparison(operator, holds, sign) {
    return function (actual, expected, message) {
      needTwo(arguments);
      if (!holds(actual, expected)) {
        throw failed(actual, expected, message, sign || operator);
      }
    };
  }

  function ok(value, message) {
    if (!value) {
      throw failed(value, true, message, '==', arguments.length ? undefined : 'No value argument passed to `assert.ok()`');
    }
  }

  function assert(value, message) {
    ok.apply(null, arguments);
  }

  function isLooselyEqual(a, b) {
    return a == b || a !== a && b !== b;
  }

  function loosely(a, b) {
    return same(a, b, false);
  }

  function strictly(a, b) {
    return same(a, b, true);
  }

  function not(test) {
    return function (a, b) {
      return !test(a, b);
    };
  }

  function fail(message) {
    if (message instanceof Error) {
      throw message;
    }
    var error = new AssertionError({ message: message === undefined ? 'Failed' : message, operator: 'fail' });
    error.generatedMessage = message === undefined;
    throw error;
  }

  function ifError(value) {
    if (value === null || value === undefined) {
      return;
    }
    var text = value instanceof Error || typeof value === 'object' && typeof value.message === 'string'
        ? value.message || value.constructor.name : inspect(value);
    throw failed(value, null, undefined, 'ifError', 'ifError got unwanted exception: ' + text);
  }

  function matcher(operator, wanted) {
    return function (text, pattern, message) {
      if (!(pattern instanceof RegExp)) {
        throw typeError('regexp', 'an instance of RegExp', pattern);
      }
      var isText = typeof text === 'string';
      if (!isText || pattern.test(text) !== wanted) {
        var reason = !isText ? 'The "string" argument must be of type string. Received type ' + typeof text + ' (' + inspect(text) + ')'
            : 'The input ' + (wanted ? 'did not match' : 'was expected to not match') + ' the regular expression ' + inspect(pattern) + '. Input:\n\n' + inspect(text) + '\n';
        throw failed(text, pattern, message, operator, reason);
      }
    };
  }

  function isErrorClass(value) {
    return value.prototype !== undefined && (value === Error || value.prototype instanceof Error);
  }

  // Throws if an error is not the expected one.
  function expectError(actual, expected, message, operator) {
    if (expected === undefined) {
      return;
    }
    if (expected instanceof RegExp) {
      if (!expected.test(String(actual))) {
        throw failed(actual, expected, message, operator,
            'The input did not match the regular expression ' + inspect(expected) + '. Input:\n\n' + inspect(String(actual)) + '\n');
      }
      return;
    }
    if (typeof expected === 'function') {
      if (expected.prototype !== undefined && actual instanceof expected) {
        return;
      }
      if (isErrorClass(expected)) {
        throw failed(actual, expected, message, operator,
            'The error is expected to be an instance of "' + expected.name + '". Received "' + (actual && actual.constructor && actual.constructor.name || inspect(actual))
            + '"\n\nError message:\n\n' + (actual && actual.message));
      }
      if (expected.call({}, actual) !== true) {
        throw failed(actual, expected, message, operator, 'The ' + (expected.name ? '"' + expected.name + '" validation' : 'validation')
            + ' function is expected to return "true". Received ' + inspect(expected.call({}, actual)) + '\n\nCaught error:\n\n' + inspect(actual));
      }
      return;
    }
    var keys = Object.keys(expected).concat(expected instanceof Error ? ['name', 'message'] : []);
    keys.forEach(function (key) {
      var matches = typeof actual[key] === 'string' && expected[key] instanceof RegExp && expected[key].test(actual[key]);
      if (!matches && !(key in actual && strictly(actual[key], expected[key]))) {
        throw failed(actual, expected, message, operator, compared(actual, expected, 'deepStrictEqual'));
      }
    });
  }

  function checkExpected(expected) {
    if (expected !== undefined && (expected === null || typeof expected !== 'object' && typeof expected !== 'function')) {
      throw typeError('error', 'of type function or an instance of Error, RegExp, or Object', expected);
    }
  }

  function missing(expected, message, operator) {
    var text = 'Missing expected ' + (operator === 'rejects' ? 'rejection' : 'exception');
    if (expected && expected.name) {
      text += ' (' + expected.name + ')';
    }
    return failed(undefined, expected, message instanceof Error ? message : text + (message ? ': ' + message : '.'), operator);
  }

  function unwanted(thrown, expected, message, operator) {
    if (expected && !(typeof expected === 'function' && thrown instanceof expected || expected instanceof RegExp && expected.test(String(thrown)))) {
      return thrown;
    }
    var text = 'Got unwanted ' + (operator === 'doesNotReject' ? 'rejection' : 'exception') + (message ? ': ' + message : '.')
        + '\nActual message: "' + (thrown && thrown.message) + '"';
    return failed(thrown, expected, undefined, operator, text);
  }

  function throwsOf(run) {
    if (typeof run !== 'function') {
      throw typeError('fn', 'of type function', run);
    }
    try {
      run();
    } catch (error) {
      return { error: error };
    }
    return null;
  }

  function rejectsOf(given) {
    return new Promise(function (resolve, reject) {
      var promise = typeof given === 'function' ? given() : given;
      if (promise === null || typeof promise !== 'object' || typeof promise.then !== 'function') {
        reject(typeof given === 'function'
            ? Object.assign(new TypeError('Expected instance of Promise to be returned from the "promiseFn" function but got ' + load('inspect').received(promise) + '.'),
                { code: 'ERR_INVALID_RETURN_VALUE' })
            : typeError('promiseFn', 'of type function or an instance of Promise', given));
        return;
      }
      promise.then(function () {
        resolve(null);
      }, function (error) {
        resolve({ error: error });
      });
    });
  }

  // Judges what was thrown: the arguments of "throws" and "rejects" are the same.
  function expecting(caught, expected, message, operator) {
    if (typeof expected === 'string') {
      message = expected;
      expected = undefined;
    }
    checkExpected(expected);
    if (!caught) {
      throw missing(expected, message, operator);
    }
    expectError(caught.error, expected, message, operator);
  }

  function notExpecting(caught, expected, message, operator) {
    if (!caught) {
      return;
    }
    throw typeof expected === 'string' ? unwanted(caught.error, undefined, expected, operator) : unwanted(caught.error, expected, message, operator);
  }

  function judging(find, judge, operator) {
    return function (run, expected, message) {
      var caught = find(run);
      if (caught && typeof caught.then === 'function') {
        return caught.then(function (found) {
          judge(found, expected, message, operator);
        });
      }
      return judge(caught, expected, message, operator);
    };
  }

  var shared = {
    AssertionError: AssertionError,
    ok: ok,
    fail: fail,
    ifError: ifError,
    match: matcher('match', true),
    doesNotMatch: matcher('doesNotMatch', false),
    strictEqual: comparison('strictEqual', Object.is),
    notStrictEqual: comparison('notStrictEqual', not(Object.is)),
    deepStrictEqual: comparison('deepStrictEqual', strictly),
    notDeepStrictEqual: comparison('notDeepStrictEqual', not(strictly)),
    throws: judging(throwsOf, expecting, 'throws'),
    doesNotThrow: judging(throwsOf, notExpecting, 'doesNotThrow'),
    rejects: judging(rejectsOf, expecting, 'rejects'),
    doesNotReject: judging(rejectsOf, notExpecting, 'doesNotReject')
  };

  function strict(value, message) {
    ok.apply(null, arguments);
  }

  Object.assign(strict, shared, {
    equal: shared.strictEqual,
    notEqual: shared.notStrictEqual,
    deepEqual: shared.deepStrictEqual,
    notDeepEqual: shared.notDeepStrictEqual,
    strict: strict
  });
  return Object.assign(assert, shared, {
    equal: comparison('equal', isLooselyEqual, '=='),
    notEqual: comparison('notEqual', not(isLooselyEqual), '!='),
    deepEqual: comparison('deepEqual', loosely),
    notDeepEqual: comparison('notDeepEqual', not(loosely)),
    strict: strict
  });
})
