// Units of measurement and times relative to now in American English, for Intl.
(function (host, load) {
  'use strict';

  // The short and the narrow form of each unit; a short form in the plural follows "|".
  var FORMS = {};
  ('acre ac ac,bit bit bit,byte byte B,celsius °C °C,centimeter cm cm,day day|days d,degree deg °,fahrenheit °F °,'
      + 'fluid-ounce fl_oz fl_oz,foot ft ′,gallon gal gal,gigabit Gb Gb,gigabyte GB GB,gram g g,hectare ha ha,hour hr h,inch in ″,'
      + 'kilobit kb kb,kilobyte kB kB,kilogram kg kg,kilometer km km,liter L L,megabit Mb Mb,megabyte MB MB,meter m m,'
      + 'microsecond μs μs,mile mi mi,mile-scandinavian smi smi,milliliter mL mL,millimeter mm mm,millisecond ms ms,minute min m,'
      + 'month mth|mths m,nanosecond ns ns,ounce oz oz,percent % %,petabyte PB PB,pound lb #,second sec s,stone st st,'
      + 'terabit Tb Tb,terabyte TB TB,week wk|wks w,yard yd yd,year yr|yrs y').split(',').forEach(function (line) {
    var words = line.split(' ');
    FORMS[words[0]] = { short: words[1].replace('_', ' '), narrow: words[2].replace('_', ' ') };
  });
  var LONG = {
    'celsius': 'degree Celsius|degrees Celsius', 'fahrenheit': 'degree Fahrenheit|degrees Fahrenheit', 'foot': 'foot|feet', 'inch': 'inch|inches',
    'mile-scandinavian': 'mile-scandinavian|miles-scandinavian', 'percent': 'percent'
  };
  // The forms after a slash, where they are others.
  var PER = { day: 'd', foot: 'ft', hour: 'h', inch: 'in', minute: 'min', month: 'm', pound: 'lb', second: 's', week: 'w', year: 'y' };
  var COMPOUND = { 'mile-per-hour': { short: 'mph', narrow: 'mph' }, 'mile-per-gallon': { short: 'mpg', narrow: 'mpg' } };

  function form(unit, display, isOne) {
    var forms = (display === 'long' ? LONG[unit] || unit.replace(/-/g, ' ') + '|' + unit.replace(/-/g, ' ') + 's' : FORMS[unit][display]).split('|');
    return isOne || forms.length === 1 ? forms[0] : forms[1];
  }

  function isUnit(name) {
    var both = String(name).split('-per-');
    return both.length < 3 && both.every(function (each) { return Object.prototype.hasOwnProperty.call(FORMS, each); });
  }

  // Returns what follows a number.
  function after(unit, display, isOne) {
    var both = unit.split('-per-');
    var special = COMPOUND[unit] && COMPOUND[unit][display];
    var text = special || form(both[0], display, isOne);
    if (both.length > 1 && !special) {
      var per = display === 'short' && both[1] === 'gallon' ? 'gal US' : display !== 'long' && PER[both[1]] || form(both[1], display, true);
      text += (display === 'long' ? ' per ' : '/') + per;
    }
    return /^[°%′″#]/.test(text) || display === 'narrow' ? ['', text] : [' ', text];
  }

  // ---- relative times

  var TIMES = {
    second: ['second', 'sec.', 's'], minute: ['minute', 'min.', 'm'], hour: ['hour', 'hr.', 'h'], day: ['day', 'day|days', 'd'],
    week: ['week', 'wk.', 'w'], month: ['month', 'mo.', 'mo'], quarter: ['quarter', 'qtr.|qtrs.', 'q'], year: ['year', 'yr.', 'y']
  };
  var STYLES = ['long', 'short', 'narrow'];
  var DAYS = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' };

  // Returns the words for a time that needs no number; undefined for others.
  function words(number, unit, style) {
    if (unit === 'day') {
      return DAYS[number];
    }
    if (/^(second|minute|hour)$/.test(unit)) {
      return number !== 0 ? undefined : unit === 'second' ? 'now' : 'this ' + unit;
    }
    return Math.abs(number) > 1 || number % 1 !== 0 ? undefined : ['last ', 'this ', 'next '][number + 1] + TIMES[unit][style === 'long' ? 0 : 1].split('|')[0];
  }

  // Returns what precedes and what follows the number.
  function around(number, isOne, unit, style) {
    var forms = TIMES[unit][STYLES.indexOf(style)].split('|');
    var text = style === 'long' ? unit + (isOne ? '' : 's') : isOne || forms.length === 1 ? forms[0] : forms[1];
    var named = (style === 'narrow' ? '' : ' ') + text;
    return number < 0 || Object.is(number, -0) ? ['', named + ' ago'] : ['in ', named];
  }

  return { isUnit: isUnit, after: after, isTime: function (unit) { return Object.prototype.hasOwnProperty.call(TIMES, unit); }, words: words, around: around, styles: STYLES };
})
