var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
check('numbers', function () {
  return [0, -0, 1, 12, 123, 1234, 12345.678, 1234567.8915, -1234.5, 1e21, 1.5e-7, 0.0005, 0.0004, 1.0005, NaN, Infinity, -Infinity, 9007199254740991, 1.005, 2.5].map(function (n) {
    return n.toLocaleString();
  });
});
check('numbers with options', function () {
  return [(1234.5).toLocaleString('en-US', { style: 'currency', currency: 'USD' }), (-1234.5).toLocaleString('en-US', { style: 'currency', currency: 'EUR' }), (1234.567).toLocaleString('en-US', { style: 'currency', currency: 'JPY' }),
    (0.256).toLocaleString('en-US', { style: 'percent' }), (0.2567).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }), (5).toLocaleString('en-US', { minimumFractionDigits: 2 }), (5.678).toLocaleString(undefined, { maximumFractionDigits: 0 }), (1.005).toLocaleString('en', { maximumFractionDigits: 2 }), (12345.6).toLocaleString('en-US', { useGrouping: false }), (1234.5).toLocaleString([], { minimumFractionDigits: 2, maximumFractionDigits: 2 })];
});
check('currencies', function () {
  return ['USD', 'CHF', 'SEK', 'KRW', 'XOF', 'XAF', 'KWD', 'COP', 'NZD', 'BRL', 'usd', 'ZZZ', 'CLF', 'UYW', 'ADP', 'BYR', 'ESP', 'ITL', 'ZWD', 'XXX'].map(function (currency) {
    return [(1234.5).toLocaleString('en-US', { style: 'currency', currency: currency }), (-1234.5).toLocaleString('en-US', { style: 'currency', currency: currency, currencyDisplay: 'code' })];
  });
});
check('signs', function () {
  return ['auto', 'always', 'never', 'exceptZero', 'negative', 'x'].map(function (sign) {
    return [5, -5, 0, -0, 0.001, -0.001, NaN, Infinity, -Infinity].map(n => outcome(() => n.toLocaleString('en-US', { signDisplay: sign, maximumFractionDigits: 1 })))
      .concat([() => (12n).toLocaleString('en', { signDisplay: sign }), () => (-1.5).toLocaleString('en', { style: 'currency', currency: 'EUR', signDisplay: sign }), () => (0.5).toLocaleString('en', { style: 'percent', signDisplay: sign })].map(outcome)).join(' ');
  }).concat(JSON.stringify(new Intl.NumberFormat('en-US', { signDisplay: 'always', style: 'currency', currency: 'USD' }).formatToParts(1234.5)));
});
check('currency without three letters', function () {
  return (1).toLocaleString('en-US', { style: 'currency', currency: 'US' });
});
check('currency is needed', function () {
  return (1).toLocaleString('en-US', { style: 'currency' });
});
check('digits out of range', function () {
  return (1).toLocaleString('en-US', { maximumFractionDigits: 200 });
});
function outcome(run) {
  try {
    return run();
  } catch (e) {
    return e.name;
  }
}
[[12345.678, 'minimumIntegerDigits', [0, 1, 6, 21, 22, null, 1.5, '2', 'x', true, 2n]], [1.5, 'minimumFractionDigits', [-1, 0, 20, 21, null, 1.5, '', NaN, [2]]], [1.5, 'maximumFractionDigits', [-1, 0, 20, 21, null, false]], [1234, 'style', ['x', null]], [1234, 'unknown', [1]], [1234, 'currency', ['', null, 'U1D', 'usd']], [1234, 'useGrouping', [true, 'true', 'false', 'auto', 'always', 'x', '', null, 0, 1]],
  [new Date(951782400000), 'hour12', ['true', 'false', 'x', '', null, 0, 1]], [new Date(951782400000), 'hourCycle', ['x', 'h11', 'h12', 'h23', 'h24']], [new Date(0), 'weekday', ['x', null]], [new Date(0), 'era', ['x']], [new Date(0), 'day', ['short']], [new Date(0), 'timeZoneName', ['x']], [new Date(0), 'timeZone', ['', null]], [new Date(0), 'dateStyle', ['x', null]], [new Date(0), 'localeMatcher', ['x']], [new Date(0), 'formatMatcher', ['x', 'basic']],
  [1, 'dayPeriod', ['x']], [1, 'fractionalSecondDigits', [2]], [1, 'calendar', ['x']], [new Date(0), 'notation', ['compact']], [new Date(0), 'unit', ['q']]].forEach(function (row) {
  check('option ' + row[1], function () {
    return row[2].map(function (value) {
      return outcome(() => row[0].toLocaleString('en-US', { [row[1]]: value }));
    }).join(' | ');
  });
});
check('locales', function () {
  return [null, 'x', 'en_US', 'abcdefghijk', ['x'], [5], [null], 5, {}, [], [''], ['en', ''], ['en', 5], ['en', 'en_US'], ['en', 'de']].map(function (locale) {
    return [() => (1).toLocaleString(locale), () => new Date(0).toLocaleDateString(locale), () => 'i'.toLocaleUpperCase(locale)].map(outcome).join();
  }).join(' | ');
});
check('values that are no options', function () {
  return [null, 5, 'x', true].map(options => outcome(() => (1).toLocaleString('en-US', options))).join();
});
var dates = [0, 951782400000, 1704164645678, -1, 1719843825000];
['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'toString', 'toDateString', 'toTimeString', 'toUTCString', 'toGMTString', 'toISOString', 'toJSON'].forEach(function (name) {
  check(name, function () {
    return dates.map(function (time) {
      return new Date(time)[name]();
    });
  });
});
[{ timeZone: 'UTC' }, { timeZone: 'America/New_York' }, { year: 'numeric', month: '2-digit', day: '2-digit' }, { year: 'numeric', month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, { weekday: 'short' }, { month: 'long', year: 'numeric' }, { year: '2-digit', month: 'numeric' }, { hour: '2-digit', minute: '2-digit' }, { hour: 'numeric', minute: '2-digit', hour12: false }, { hour12: false }, { hour: 'numeric' }].forEach(function (options) {
  check('dates with ' + JSON.stringify(options), function () {
    return dates.slice(1, 3).map(function (time) {
      var d = new Date(time);
      return [d.toLocaleString('en-US', options), d.toLocaleDateString('en-US', options), d.toLocaleTimeString('en-US', options)];
    });
  });
});
check('invalid dates', function () {
  var d = new Date(NaN);
  return [d.toLocaleString(), d.toLocaleDateString(), d.toLocaleTimeString(), String(d), d.toDateString(), d.toTimeString(), d.toUTCString(), d.toJSON()];
});
check('bad time zone', function () {
  return new Date(0).toLocaleString('en-US', { timeZone: 'Nowhere/Land' }) && 'no error';
});
['2024-01-02', '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+02:00', '2024-01-02T03:04:05', '2024-01-02T03:04', '2024-01-02 03:04:05', '2024-01-02 03:04', '2024-01-02 03:04:05Z', '2024-01-02 03:04:05.123 UTC', '2024-01-02 03:04:05 +0100', '2024-1-2', '2024/01/02', '01/02/2024', 'Jan 2, 2024', '2 January 2024', 'Tue, 02 Jan 2024 03:04:05 GMT', '2024', '2024-01', 'nonsense', '', '2024-13-01', '2024-02-30', '2023-04-31 10:00', '2024-02-32', '2024-01-02T25:00:00Z', '2024-01-02T03:04:05.123456Z', '+002024-01-02T00:00:00Z', 'Tue Jan 02 2024 03:04:05 GMT+0000 (Coordinated Universal Time)'].forEach(function (text) {
  check('Date.parse ' + text, function () {
    return [Date.parse(text), new Date(text).getTime()].map(String);
  });
});
check('Date is Date', function () {
  var d = new Date(2024, 0, 2, 3, 4, 5, 6);
  return [d instanceof Date, d.constructor === Date, Date.name, Date.length, typeof Date(), Date.UTC(2024, 1), typeof Date.now(), new Date(d).getTime() === d.getTime(), Object.prototype.toString.call(d), d.getTimezoneOffset(), d + 1, d - 1, `${new Date(0)}`];
});
check('Date of a subclass', function () {
  var made = Reflect.construct(Date, [5], function Sub() {});
  return [made.getTime === undefined, Date.prototype.getTime.call(made)];
});
check('arrays', function () {
  return [1234.5, 'a', null, new Date(0), [1000]].toLocaleString();
});
check('not a date', function () {
  return outcome(() => Date.prototype.toLocaleString.call({}));
});
var texts = ['', ' ', '_x', '-1', '!', '$', '\u20ac', '1', '10', '2', 'img12', 'img2', 'IMG10', 'a', 'A', '\u00e1', '\u00c4', 'ae', '\u00e6', 'b', 'co op', 'co-op', 'coop', 'COOP', 'l', '\u0142', 'o', '\u00f8', 'Mueller', 'Muller', 'M\u00fcller', 'ss', '\u00df', '007', '7', '\ud83d\ude00', '\u0430', '\u03b1', 'e\u0301a', '\u00e9a', 'zebra', 'a\u0000b'];
function sorted(compare) {
  return texts.slice().reverse().sort(compare).join('|');
}
check('localeCompare', function () {
  return [sorted((a, b) => a.localeCompare(b)), sorted((a, b) => a.localeCompare(b, 'de')), sorted((a, b) => a.localeCompare(b, undefined, { numeric: true })), 'a'.localeCompare(), 'undefined'.localeCompare()];
});
check('options of localeCompare', function () {
  return ['base', 'accent', 'case', 'variant', undefined, 'x', null].map(function (sensitivity) {
    return [['a', 'A'], ['a', '\u00e1'], ['a', 'b'], ['\u00df', 'ss'], ['a', 'a'], ['B', 'a'], ['\u00d8', 'o']].map(function (pair) {
      return outcome(() => pair[0].localeCompare(pair[1], 'en', { sensitivity: sensitivity }));
    }).join();
  }).concat(['upper', 'lower', 'false', 'x'].map(first => outcome(() => 'a'.localeCompare('A', 'en', { caseFirst: first }))),
    ['a-b c', 'a.bc', 'ab'].map(text => 'abc'.localeCompare(text, 'en', { ignorePunctuation: true })),
    [['x01', 'x1'], ['1.10', '1.9'], ['v2', 'v10'], ['12345678901234567890', '9'], ['0', '00']].map(pair => pair[0].localeCompare(pair[1], 'en', { numeric: true })),
    [null, 'x', 5, ['en', ''], 'sv'].map(locale => outcome(() => 'a'.localeCompare('b', locale))), outcome(() => 'a'.localeCompare('b', 'en', null)));
});
check('Intl.Collator', function () {
  var natural = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  var compare = natural.compare;
  return [sorted(Intl.Collator().compare), sorted(compare), compare('a2', 'A10'), compare(10, 9), natural.resolvedOptions(), Intl.Collator('en').resolvedOptions(), String(natural), Intl.Collator.supportedLocalesOf(['en-US']), outcome(() => new Intl.Collator('en', { sensitivity: 'x' }))];
});
check('Intl.ListFormat', function () {
  var made = [];
  ['conjunction', 'disjunction', 'unit'].forEach(function (type) {
    ['long', 'short', 'narrow'].forEach(function (style) {
      var format = new Intl.ListFormat('en-US', { type: type, style: style });
      made.push([[], ['a'], ['a', 'b'], ['a', 'b', 'c'], new Set(['a', 'b', 'c', 'd'])].map(list => format.format(list)));
    });
  });
  var usual = new Intl.ListFormat();
  return made.concat([usual.formatToParts(['a', 'b']), usual.resolvedOptions(), usual.format(), String(usual), Intl.ListFormat.supportedLocalesOf('en-US')],
    [() => Intl.ListFormat(), () => usual.format([1]), () => new Intl.ListFormat('en', { type: 'x' }), () => new Intl.ListFormat('en', { style: 'x' })].map(outcome),
    [5, null, {}].map(function (list) { try { return usual.format(list); } catch (e) { return e.name; } }));
});
check('units', function () {
  var units = ('acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch kilobit kilobyte kilogram kilometer liter megabit'
    + ' megabyte meter microsecond mile mile-scandinavian milliliter millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard year').split(' ');
  return units.concat('mile-per-hour', 'mile-per-gallon', 'kilometer-per-hour', 'gigabyte-per-second', 'liter-per-kilometer', 'gram-per-fluid-ounce', 'meter-per-foot', 'byte-per-gallon').map(function (unit) {
    return unit + ' ' + ['long', 'short', 'narrow'].map(function (display) {
      var format = new Intl.NumberFormat('en-US', { style: 'unit', unit: unit, unitDisplay: display });
      return [1, 2].map(format.format).join(' ');
    }).join(', ');
  });
});
check('formats of units', function () {
  function days(options) { return new Intl.NumberFormat('en', Object.assign({ style: 'unit', unit: 'day' }, options)); }
  return [days().format(-1234.5678), days({ minimumFractionDigits: 1 }).format(1), days({ signDisplay: 'always', minimumIntegerDigits: 2 }).format(1), days({ useGrouping: false }).format(12345n),
    days().format(Infinity), days().formatToParts(-1234.5), days({ unitDisplay: 'narrow' }).formatToParts(5), Object.entries(days().resolvedOptions()).filter(each => /^(style|unit)/.test(each[0])),
    [{ style: 'unit' }, { style: 'unit', unit: 'x' }, { style: 'unit', unit: 'day', unitDisplay: 'x' }, { style: 'unit', unit: 'day-per-day-per-day' }].map(options => outcome(() => new Intl.NumberFormat('en', options)))];
});
['always', 'auto'].forEach(numeric => ['long', 'short', 'narrow'].forEach(style => check('Intl.RelativeTimeFormat ' + numeric + ' ' + style, function () {
  var format = new Intl.RelativeTimeFormat('en', { numeric: numeric, style: style });
  return ['second', 'minutes', 'hour', 'days', 'week', 'month', 'quarters', 'year'].map(unit => [-1000, -2, -1, -0, 0, 1, 1.5, 2].map(number => format.format(number, unit)).join(', '));
})));
check('other parts of Intl.RelativeTimeFormat', function () {
  var format = new Intl.RelativeTimeFormat();
  return [format.formatToParts(1234, 'day'), format.formatToParts(-1, 'day'), new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).formatToParts(1, 'day'), format.resolvedOptions(), String(format), Intl.RelativeTimeFormat.supportedLocalesOf(['en-US'])]
    .concat([() => Intl.RelativeTimeFormat(), () => format.format(1, 'x'), () => format.format(NaN, 'day'), () => format.formatToParts(NaN, 'day'), () => new Intl.RelativeTimeFormat('en', { numeric: 'x' })].map(outcome));
});
module.exports = function () {
  return { body: results };
};
