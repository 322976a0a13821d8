// A part of Intl: dates, numbers, units, plurals, lists, relative times and the order of texts in American English.
(function (host, load) {
  'use strict';
  var DATE = ['weekday', 'month', 'day', 'year'];
  var TIME = ['hour', 'minute', 'second'];
  // What resolvedOptions returns of the options of a date, in this order.
  var RESOLVED = ['weekday', 'era', 'year', 'month', 'day'].concat(TIME, 'timeZoneName', 'dateStyle', 'timeStyle');
  var DEFAULT_LOCALE = 'en-US';
  var write = Date.prototype.toLocaleString;
  var writeDate = Date.prototype.toLocaleDateString;
  var writeNumber = Number.prototype.toLocaleString;
  var writeBigInt = BigInt.prototype.toLocaleString;
  var localeCompare = String.prototype.localeCompare;

  function define(type, name, value) {
    Object.defineProperty(type.prototype, name, { value: value, writable: true, configurable: true });
  }

  // Returns a class of formatters, which can be called without "new". Its method is bound, so that it can be passed on.
  function formatterClass(name, format, method) {
    function Formatter(locales, options) {
      var formatter = this instanceof Formatter ? this : Object.create(Formatter.prototype);
      var given = { locales: locales, options: options === null ? null : Object.assign({}, options) };
      format(0, given);
      Object.defineProperty(formatter, '_given', { value: given });
      Object.defineProperty(formatter, method || 'format', {
        value: function (value, other) {
          return format(value, given, other);
        },
        writable: true,
        configurable: true
      });
      return formatter;
    }
    Object.defineProperty(Formatter, 'name', { value: name, configurable: true });
    define(Formatter, Symbol.toStringTag, 'Intl.' + name);
    Formatter.supportedLocalesOf = supported;
    return Formatter;
  }

  function supported(locales) {
    return (Array.isArray(locales) ? locales : locales === undefined ? [] : [locales]).filter(function (locale) {
      return locale === 'en-US' || locale === 'en';
    });
  }

  function localeOf(given) {
    return supported(given.locales)[0] || DEFAULT_LOCALE;
  }

  function has(options, names) {
    return names.some(function (name) {
      return options[name] !== undefined;
    });
  }

  // ---- dates

  function dateOf(value) {
    var date = new Date(value === undefined ? Date.now() : +value);
    if (isNaN(date.getTime())) {
      throw new RangeError('Invalid time value');
    }
    return date;
  }

  // Returns whether options select parts of a date. Otherwise the date without the time of day is shown.
  function selectsParts(options) {
    return has(options, DATE.concat(TIME, 'dateStyle', 'timeStyle'));
  }

  function formatDate(value, given) {
    return (selectsParts(given.options) ? write : writeDate).call(dateOf(value), given.locales, given.options);
  }

  var DateTimeFormat = formatterClass('DateTimeFormat', formatDate);

  // Dates with a day have this order in American English; words such as "at" are no parts.
  define(DateTimeFormat, 'formatToParts', function formatToParts(value) {
    var given = this._given;
    var options = given.options;
    var types = DATE.filter(function (name) {
      return options[name] !== undefined;
    });
    if (options.dateStyle !== undefined) {
      types = (options.dateStyle === 'full' ? ['weekday'] : []).concat('month', 'day', 'year');
    } else if (!has(options, DATE.concat(TIME, 'timeStyle'))) {
      types = ['month', 'day', 'year'];
    }
    if (options.era !== undefined) {
      types.push('era');
    }
    TIME.forEach(function (name) {
      var inStyle = options.timeStyle !== undefined && (name !== 'second' || options.timeStyle !== 'short');
      if (inStyle || options[name] !== undefined) {
        types.push(name);
      }
    });
    return split(this.format(value), types);
  });

  function split(text, types) {
    var parts = [];
    var left = types.slice();
    var tokens = text.match(/\d+|[A-Z][A-Za-z]*|[^\dA-Z]+/g) || [];
    for (var i = 0; i < tokens.length; i++) {
      if (!/^[\dA-Z]/.test(tokens[i])) {
        // As in Node.js, the space before AM and PM is a narrow no-break space here, but not in the text.
        parts.push({ type: 'literal', value: /^[AP]M$/.test(tokens[i + 1]) ? '\u202f' : tokens[i] });
      } else if (left.length > 0) {
        parts.push({ type: left.shift(), value: tokens[i] });
      } else if (/^[AP]M$/.test(tokens[i])) {
        parts.push({ type: 'dayPeriod', value: tokens[i] });
      } else {
        parts.push({ type: 'timeZoneName', value: tokens.slice(i).join('') });
        break;
      }
    }
    return parts;
  }

  define(DateTimeFormat, 'resolvedOptions', function resolvedOptions() {
    var options = this._given.options;
    var made = { locale: localeOf(this._given), calendar: 'gregory', numberingSystem: 'latn', timeZone: options.timeZone || 'UTC' };
    var usual = selectsParts(options) ? {} : { year: 'numeric', month: 'numeric', day: 'numeric' };
    var shown = Object.assign(usual, options);
    if (has(shown, ['hour', 'timeStyle'])) {
      made.hourCycle = hourCycle(options);
      made.hour12 = /h1[12]/.test(made.hourCycle);
      shown.hour = shown.hour && !made.hour12 ? '2-digit' : shown.hour;
    }
    if (has(shown, ['minute'])) {
      shown.minute = has(shown, ['hour', 'second']) ? '2-digit' : 'numeric';
    }
    if (has(shown, ['second'])) {
      shown.second = has(shown, ['minute']) ? '2-digit' : 'numeric';
    }
    RESOLVED.forEach(function (name) {
      if (shown[name] !== undefined) {
        made[name] = shown[name];
      }
    });
    return made;
  });

  function hourCycle(options) {
    if (options.hour12 === undefined) {
      return options.hourCycle || 'h12';
    }
    return options.hour12 ? 'h12' : 'h24';
  }

  // ---- numbers

  function formatNumber(value, given) {
    if (Object(given.options).style === 'unit') {
      return unitParts(value, given).map(function (part) { return part.value; }).join('');
    }
    var whole = typeof value === 'bigint' || /^\s*-?\d+\s*$/.test(value);
    return whole ? writeBigInt.call(BigInt(value), given.locales, given.options)
        : writeNumber.call(+value, given.locales, given.options);
  }

  function unitParts(value, given) {
    var unit = given.options.unit;
    var display = choice('NumberFormat', given.options, 'unitDisplay', 'short', LAST.unit);
    if (unit === undefined || !load('intl-units').isUnit(unit)) {
      throw new (unit === undefined ? TypeError : RangeError)("Invalid unit argument for Intl.NumberFormat() '" + (unit === undefined ? '' : unit) + "'");
    }
    var parts = new NumberFormat(given.locales, Object.assign({}, given.options, WITHOUT_UNIT)).formatToParts(value);
    var after = load('intl-units').after(String(unit), display, isOne(parts));
    return parts.concat(after[0] === '' ? [] : { type: 'literal', value: ' ' }, { type: 'unit', value: after[1] });
  }

  var WITHOUT_UNIT = { style: undefined, unit: undefined, unitDisplay: undefined };

  function isOne(parts) {
    return parts.every(function (part) { return /Sign$/.test(part.type) || part.type === 'integer' && /^0*1$/.test(part.value); });
  }

  var NumberFormat = formatterClass('NumberFormat', formatNumber);

  define(NumberFormat, 'formatToParts', function formatToParts(value) {
    if (this._given.options.style === 'unit') {
      return unitParts(value, this._given);
    }
    var fraction = false;
    // A dot can also be a part of a currency's symbol.
    var tokens = this.format(value).match(/\d+|[-+,%]|\.(?=\d)|\u221e|NaN|\u00a0|(?:[^\d\-+,.%\u00a0\u221e]|\.(?!\d))+?(?=NaN|[\d\u00a0\u221e]|$)/g);
    return tokens.map(function (token) {
      if (/^\d/.test(token)) {
        return { type: fraction ? 'fraction' : 'integer', value: token };
      }
      fraction = fraction || token === '.';
      var names = { '-': 'minusSign', '+': 'plusSign', ',': 'group', '.': 'decimal', '%': 'percentSign', '\u221e': 'infinity', NaN: 'nan', '\u00a0': 'literal' };
      return { type: names[token] || 'currency', value: token };
    });
  });

  define(NumberFormat, 'resolvedOptions', function resolvedOptions() {
    var options = this._given.options;
    var style = options.style || 'decimal';
    var made = { locale: localeOf(this._given), numberingSystem: 'latn', style: style };
    var usual = 0;
    if (style === 'currency') {
      made.currency = String(options.currency).toUpperCase();
      made.currencyDisplay = options.currencyDisplay || 'symbol';
      var shown = new NumberFormat(DEFAULT_LOCALE, { style: style, currency: made.currency }).format(0);
      usual = (/\.(\d+)$/.exec(shown) || ['', ''])[1].length;
    }
    if (style === 'unit') {
      made.unit = String(options.unit);
      made.unitDisplay = options.unitDisplay || 'short';
    }
    return Object.assign(made, digits(options, style === 'decimal' || style === 'unit' ? 3 : usual, usual));
  });

  // Returns the numbers of digits, whose defaults depend on each other.
  function digits(options, usualMaximum, usualMinimum) {
    var maximum = options.maximumFractionDigits;
    var minimum = options.minimumFractionDigits;
    var fewest = minimum === undefined ? Math.min(usualMinimum, maximum === undefined ? usualMinimum : maximum) : Math.floor(minimum);
    return {
      minimumIntegerDigits: options.minimumIntegerDigits === undefined ? 1 : Math.floor(options.minimumIntegerDigits),
      minimumFractionDigits: fewest,
      maximumFractionDigits: maximum === undefined ? Math.max(fewest, usualMaximum) : Math.floor(maximum),
      useGrouping: grouping(options.useGrouping)
    };
  }

  // Returns what resolvedOptions shows for an option "useGrouping".
  function grouping(given) {
    if (given === undefined || typeof given === 'string' && /^(true|false)$/.test(given)) {
      return 'auto';
    }
    if (given === true) {
      return 'always';
    }
    return given || false;
  }

  // ---- plurals

  // The options that PluralRules has in common with NumberFormat, which throws for those that are not supported here.
  var PLURAL = ['localeMatcher', 'minimumIntegerDigits', 'minimumFractionDigits', 'maximumFractionDigits',
    'minimumSignificantDigits', 'maximumSignificantDigits', 'roundingPriority'];

  function PluralRules(locales, options) {
    if (!(this instanceof PluralRules)) {
      throw new TypeError("Constructor Intl.PluralRules requires 'new'");
    }
    var type = options === undefined || options.type === undefined ? 'cardinal' : String(options.type);
    if (type !== 'cardinal' && type !== 'ordinal') {
      throw new RangeError('Value ' + type + ' out of range for Intl.PluralRules options property type');
    }
    var numbers = { useGrouping: false };
    PLURAL.forEach(function (name) {
      numbers[name] = options === undefined ? undefined : options[name];
    });
    Object.defineProperty(this, '_type', { value: type });
    Object.defineProperty(this, '_format', { value: new NumberFormat(locales, numbers) });
    // Leading zeros do not matter for the category.
    numbers.minimumIntegerDigits = undefined;
    Object.defineProperty(this, '_selecting', { value: new NumberFormat(locales, numbers) });
  }

  PluralRules.supportedLocalesOf = supported;
  define(PluralRules, Symbol.toStringTag, 'Intl.PluralRules');

  define(PluralRules, 'select', function select(value) {
    var text = this._selecting.format(Math.abs(value));
    if (this._type === 'cardinal') {
      return text === '1' ? 'one' : 'other';
    }
    var ordinal = text.replace(/\.0+$/, '');
    var last = /^\d*?([123])$/.exec(ordinal);
    return last && !/1[123]$/.test(ordinal) ? ['one', 'two', 'few'][last[1] - 1] : 'other';
  });

  define(PluralRules, 'resolvedOptions', function resolvedOptions() {
    var numbers = this._format.resolvedOptions();
    var locales = this._format._given.locales;
    return {
      // As in Node.js, also for "en-US".
      locale: typeof locales === 'string' || Array.isArray(locales) && locales.length > 0 ? 'en' : DEFAULT_LOCALE,
      type: this._type,
      minimumIntegerDigits: numbers.minimumIntegerDigits,
      minimumFractionDigits: numbers.minimumFractionDigits,
      maximumFractionDigits: numbers.maximumFractionDigits,
      pluralCategories: this._type === 'cardinal' ? ['one', 'other'] : ['few', 'one', 'two', 'other']
    };
  });

  // ---- lists

  // What precedes the second of two elements, and the last of more; others follow a comma.
  var LAST = {
    conjunction: { long: [' and ', ', and '], short: [' & ', ', & '], narrow: [', ', ', '] },
    disjunction: { long: [' or ', ', or '], short: [' or ', ', or '], narrow: [' or ', ', or '] },
    unit: { long: [', ', ', '], short: [', ', ', '], narrow: [' ', ' '] }
  };

  function ListFormat(locales, options) {
    if (!(this instanceof ListFormat)) {
      throw new TypeError("Constructor Intl.ListFormat requires 'new'");
    }
    Object.defineProperty(this, '_locale', { value: new NumberFormat(locales).resolvedOptions().locale });
    Object.defineProperty(this, '_type', { value: choice('ListFormat', options, 'type', 'conjunction', LAST) });
    Object.defineProperty(this, '_style', { value: choice('ListFormat', options, 'style', 'long', LAST.unit) });
  }

  function choice(type, options, name, usual, values) {
    var value = options === undefined || options[name] === undefined ? usual : String(options[name]);
    if (!Object.prototype.hasOwnProperty.call(values, value)) {
      throw new RangeError('Value ' + value + ' out of range for Intl.' + type + ' options property ' + name);
    }
    return value;
  }

  ListFormat.supportedLocalesOf = supported;
  define(ListFormat, Symbol.toStringTag, 'Intl.ListFormat');

  define(ListFormat, 'formatToParts', function formatToParts(list) {
    var last = LAST[this._type][this._style];
    var between = last[1] === ' ' ? ' ' : ', ';
    var parts = [];
    if (list !== undefined && (list === null || typeof list[Symbol.iterator] !== 'function')) {
      throw new TypeError(String(list) + ' is not iterable');
    }
    var values = list === undefined ? [] : Array.from(list);
    values.forEach(function (value, index) {
      if (typeof value !== 'string') {
        throw new TypeError('Iterable yielded ' + String(value) + ' which is not a string');
      }
      if (index > 0) {
        var isLast = index === values.length - 1;
        parts.push({ type: 'literal', value: !isLast ? between : last[index === 1 ? 0 : 1] });
      }
      parts.push({ type: 'element', value: value });
    });
    return parts;
  });

  define(ListFormat, 'format', function format(list) {
    return this.formatToParts(list).map(function (part) { return part.value; }).join('');
  });

  define(ListFormat, 'resolvedOptions', function resolvedOptions() {
    return { locale: this._locale, type: this._type, style: this._style };
  });

  // ---- relative times

  function RelativeTimeFormat(locales, options) {
    if (!(this instanceof RelativeTimeFormat)) {
      throw new TypeError("Constructor Intl.RelativeTimeFormat requires 'new'");
    }
    Object.defineProperty(this, '_numbers', { value: new NumberFormat(locales) });
    Object.defineProperty(this, '_style', { value: choice('RelativeTimeFormat', options, 'style', 'long', LAST.unit) });
    Object.defineProperty(this, '_numeric', { value: choice('RelativeTimeFormat', options, 'numeric', 'always', { always: 1, auto: 1 }) });
  }

  RelativeTimeFormat.supportedLocalesOf = supported;
  define(RelativeTimeFormat, Symbol.toStringTag, 'Intl.RelativeTimeFormat');

  function relativeParts(format, value, unit, method) {
    var units = load('intl-units');
    var number = Number(value);
    var name = String(unit).replace(/s$/, '');
    if (!isFinite(number)) {
      throw new RangeError('Value need to be finite number for Intl.RelativeTimeFormat.prototype.' + method + '()');
    }
    if (!units.isTime(name)) {
      throw new RangeError('Invalid unit argument for Intl.RelativeTimeFormat.prototype.' + method + "() '" + unit + "'");
    }
    var words = format._numeric === 'auto' ? units.words(number, name, format._style) : undefined;
    if (words !== undefined) {
      return [{ type: 'literal', value: words }];
    }
    var parts = format._numbers.formatToParts(Math.abs(number));
    var around = units.around(number, isOne(parts), name, format._style);
    parts.forEach(function (part) { part.unit = name; });
    return (around[0] === '' ? [] : [{ type: 'literal', value: around[0] }]).concat(parts, { type: 'literal', value: around[1] });
  }

  define(RelativeTimeFormat, 'format', function format(value, unit) {
    return relativeParts(this, value, unit, 'format').map(function (part) { return part.value; }).join('');
  });

  define(RelativeTimeFormat, 'formatToParts', function formatToParts(value, unit) {
    return relativeParts(this, value, unit, 'formatToParts');
  });

  define(RelativeTimeFormat, 'resolvedOptions', function resolvedOptions() {
    return { locale: this._numbers.resolvedOptions().locale, style: this._style, numeric: this._numeric, numberingSystem: 'latn' };
  });

  // ---- the order of texts

  var Collator = formatterClass('Collator', function (text, given, other) {
    return localeCompare.call(String(text), String(other), given.locales, given.options);
  }, 'compare');

  define(Collator, 'resolvedOptions', function resolvedOptions() {
    var usual = { usage: 'sort', sensitivity: 'variant', ignorePunctuation: false, collation: 'default', numeric: false, caseFirst: 'false' };
    var options = this._given.options;
    return Object.keys(usual).reduce(function (made, name) {
      made[name] = options[name] === undefined ? usual[name] : typeof usual[name] === 'boolean' ? Boolean(options[name]) : options[name];
      return made;
    }, { locale: localeOf(this._given) });
  });

  return {
    Intl: {
      Collator: Collator, DateTimeFormat: DateTimeFormat, ListFormat: ListFormat, NumberFormat: NumberFormat, PluralRules: PluralRules,
      RelativeTimeFormat: RelativeTimeFormat
    }
  };
})
