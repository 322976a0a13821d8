// The supported part of Intl: dates and numbers in American English.
const DATE = new Date('2024-02-09T08:05:07Z');
const LATE = new Date('2024-07-31T00:30:00Z');
const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' };
const results = {};

function check(name, run) {
  try {
    results[name] = run();
  } catch (e) {
    results[name] = `throws ${e.name}`;
  }
}

const DATES = [
  undefined, {}, { month: 'long' }, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, { hour: 'numeric' },
  { hour: 'numeric', minute: '2-digit', hour12: false }, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, { ...NUMERIC, hour12: false },
  { ...NUMERIC, hourCycle: 'h23', timeZone: 'America/New_York' }, { ...NUMERIC, timeZone: 'Asia/Kolkata' }, { year: 'numeric', month: 'short' },
  { dateStyle: 'full' }, { dateStyle: 'long' }, { dateStyle: 'medium' }, { dateStyle: 'short' }, { timeStyle: 'short' }, { timeStyle: 'medium' },
  { dateStyle: 'medium', timeStyle: 'short' }, { dateStyle: 'full', timeStyle: 'full' }, { dateStyle: 'short', timeStyle: 'long', timeZone: 'America/Los_Angeles' },
  { hour: 'numeric', minute: 'numeric', timeZoneName: 'short' }, { hour: 'numeric', minute: 'numeric', timeZoneName: 'short', timeZone: 'America/Chicago' },
  { hour: 'numeric', minute: 'numeric', timeZoneName: 'short', timeZone: 'Europe/Berlin' }, { hour: 'numeric', minute: 'numeric', timeZoneName: 'long', timeZone: 'Europe/Berlin' },
  { hour: 'numeric', timeZoneName: 'longOffset', timeZone: 'Asia/Kolkata' }, { hour: 'numeric', timeZoneName: 'shortOffset', timeZone: 'Asia/Kolkata' },
  { dateStyle: 'short', month: 'long' }, { timeZone: 'Nowhere/City' },
  { ...NUMERIC, era: 'short', hour12: false, timeZone: 'America/New_York' }, { era: 'short' },
];
DATES.forEach((options) => {
  check(`date ${JSON.stringify(options)}`, () => {
    const format = new Intl.DateTimeFormat('en-US', options);
    return [format.format(DATE), format.format(LATE), format.formatToParts(DATE)];
  });
  check(`toLocaleString ${JSON.stringify(options)}`, () => [DATE.toLocaleString('en-US', options), LATE.toLocaleString('en-US', options)]);
});
const NUMBERS = [
  undefined, {}, { style: 'currency', currency: 'USD' }, { style: 'currency', currency: 'EUR', minimumFractionDigits: 0 }, { style: 'currency', currency: 'CHF' },
  { style: 'percent', maximumFractionDigits: 1 }, { minimumFractionDigits: 2 }, { maximumFractionDigits: 0 }, { useGrouping: false, minimumIntegerDigits: 4 },
  { minimumIntegerDigits: 5 }, { style: 'currency' }, { style: 'currency', currency: 'JPY', currencyDisplay: 'code' }, { maximumFractionDigits: 200 },
];
NUMBERS.forEach((options) => {
  check(`number ${JSON.stringify(options)}`, () => {
    const format = new Intl.NumberFormat('en-US', options);
    return [1234567.891, -0.5, 0, 12, '7.25', NaN, Infinity].map((n) => format.format(n)).concat(format.formatToParts(-1234.5));
  });
});
check('big', () => new Intl.NumberFormat('en-US').format(12345678901n));
check('passed on', () => [1, 1000].map(new Intl.NumberFormat('en-US').format));
check('without new', () => Intl.NumberFormat('en-US').format(1000) + Intl.DateTimeFormat('en').format(DATE));
check('invalid date', () => new Intl.DateTimeFormat('en-US').format(NaN));
check('invalid date as text', () => new Date(NaN).toLocaleString('en-US', { dateStyle: 'full' }));
check('no dates', () => [null, '5', true, '2020-01-01'].map((value) => { try { return new Intl.DateTimeFormat('en-US').format(value); } catch (e) { return e.name; } }));
check('empty locale', () => new Intl.NumberFormat(''));
check('no options', () => new Intl.NumberFormat('en-US', null));
[undefined, { type: 'ordinal' }, { minimumFractionDigits: 1 }, { maximumFractionDigits: 0 }, { type: 'x' }, null, { minimumIntegerDigits: 0 }, { minimumIntegerDigits: 2 }, { type: 'ordinal', minimumFractionDigits: 1 }, { localeMatcher: 'x' }, { roundingMode: 'ceil' }].forEach((options) => check(`plurals ${JSON.stringify(options)}`, () => {
  const rules = new Intl.PluralRules('en-US', options);
  const { locale, type, minimumFractionDigits, maximumFractionDigits, pluralCategories } = rules.resolvedOptions();
  return [[0, 1, -1, 2, 3, 4, 11, 12, 13, 21, 101, 111, 1.0, 1.4, 1.5, NaN, Infinity, '1', undefined].map((n) => rules.select(n)).join(), locale, type, minimumFractionDigits, maximumFractionDigits, pluralCategories, String(rules)];
}));
check('plurals without new', () => Intl.PluralRules());
check('locale of plurals', () => [undefined, [], 'en', ['en-US']].map((locales) => new Intl.PluralRules(locales).resolvedOptions().locale));
check('zone', () => [Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.DateTimeFormat('en-US', { timeZone: 'Europe/Rome' }).resolvedOptions().timeZone]);
DATES.concat({ minute: '2-digit' }, { minute: 'numeric', second: 'numeric' }, { timeStyle: 'short', hour12: false }).forEach((options) => {
  check(`resolved date ${JSON.stringify(options)}`, () => ({ ...new Intl.DateTimeFormat('en-US', options).resolvedOptions(), timeZone: 0 }));
});
NUMBERS.forEach((options) => {
  check(`resolved ${JSON.stringify(options)}`, () => {
    const made = new Intl.NumberFormat('en-US', options).resolvedOptions();
    return ['locale', 'numberingSystem', 'style', 'currency', 'currencyDisplay', 'minimumIntegerDigits', 'minimumFractionDigits', 'maximumFractionDigits', 'useGrouping'].map((name) => String(made[name]));
  });
});
check('big integers', () => [12345678901234567890n.toLocaleString(), (-12345678901234567890n).toLocaleString('en-US', { style: 'currency', currency: 'usd' }), new Intl.NumberFormat('en-US').format(10n ** 40n), new Intl.NumberFormat('en-US').format('12345678901234567890'), 0n.toLocaleString()]);
check('locale in small letters', () => new Intl.NumberFormat('en-us').format(1000.5));
check('options of other locales', () => [(1000).toLocaleString('en-US', { numberingSystem: 'latn', localeMatcher: 'best fit' }), DATE.toLocaleDateString('en-US', { calendar: 'gregory' })]);
check('time zones', () => ['utc', 'america/new_york', 'Europe/London', 'America/Halifax'].map((timeZone) => LATE.toLocaleString('en-US', { timeZone })));
['Z', 'UTC+5', 'GMT+1', 'x'].forEach((timeZone) => check(`time zone ${timeZone}`, () => LATE.toLocaleString('en-US', { timeZone })));
check('only the zone', () => [DATE.toLocaleDateString('en-US', { timeZoneName: 'short' }), DATE.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZoneName: 'short' })]);
check('dots of symbols', () => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'XCG' }).formatToParts(1.5));
check('supported', () => [Intl.DateTimeFormat.supportedLocalesOf(['en-US']), Intl.NumberFormat.supportedLocalesOf('en')]);
check('tags', () => [String(new Intl.DateTimeFormat()), String(new Intl.NumberFormat()), typeof Intl]);

module.exports = () => ({ body: results });
