// Values as text, in the words and line breaks of Node.js: util.inspect and util.format.
(function (host, load) {
  'use strict';
  var CUSTOM = Symbol.for('nodejs.util.inspect.custom');
  var IDENTIFIER = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
  var LINE = 80;
  var ESCAPES = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };
  var own = Object.prototype.hasOwnProperty;
  var enumerable = Object.prototype.propertyIsEnumerable;

  function hex(code, length) {
    return code.toString(16).toUpperCase().padStart(length, '0');
  }

  function quote(text) {
    var mark = text.indexOf("'") < 0 ? "'" : text.indexOf('"') < 0 ? '"' : /[`]|\$\{/.test(text) ? "'" : '`';
    var escaped = text.replace(/[\x00-\x1f\x7f-\x9f\\]/g, function (c) {
      return ESCAPES[c] || '\\x' + hex(c.charCodeAt(0), 2);
    });
    if (/[\ud800-\udfff]/.test(escaped)) {
      escaped = escaped.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, function (c) {
        return c.length === 2 ? c : '\\u' + hex(c.charCodeAt(0), 4).toLowerCase();
      });
    }
    return mark + (mark === "'" ? escaped.replace(/'/g, "\\'") : escaped) + mark;
  }

  function primitive(value, state, nested) {
    switch (typeof value) {
      case 'string':
        return string(value, state, nested);
      case 'number':
        return Object.is(value, -0) ? '-0' : String(value);
      case 'bigint':
        return value + 'n';
      default:
        return String(value);
    }
  }

  function string(value, state, nested) {
    var text = value;
    var trailer = '';
    if (text.length > state.maxStringLength) {
      var left = text.length - state.maxStringLength;
      text = text.slice(0, state.maxStringLength);
      trailer = '... ' + left + ' more character' + (left > 1 ? 's' : '');
    }
    if (state.compact !== true && nested && text.length > 16 && text.length > state.breakLength - state.indent - 4) {
      return text.split(/(?<=\n)/).map(quote).join(' +\n' + ' '.repeat(state.indent + 2)) + trailer;
    }
    return quote(text) + trailer;
  }

  function constructorName(value) {
    for (var object = value; object !== null; object = Object.getPrototypeOf(object)) {
      var descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
      if (descriptor && typeof descriptor.value === 'function' && descriptor.value.name !== '') {
        return descriptor.value.name;
      }
    }
    return null;
  }

  function keysOf(value, state) {
    if (state.showHidden) {
      return Reflect.ownKeys(value);
    }
    return Object.keys(value).concat(Object.getOwnPropertySymbols(value).filter(function (key) {
      return enumerable.call(value, key);
    }));
  }

  function prefix(name, tag, fallback, size) {
    var sized = size === undefined ? '' : '(' + size + ')';
    var known = name === null ? '[' + fallback + sized + ': null prototype] ' : name + sized + ' ';
    return tag !== '' && tag !== name ? known + '[' + tag + '] ' : known;
  }

  function toStringTag(value) {
    var tag;
    try {
      tag = value[Symbol.toStringTag];
    } catch (e) {
      tag = '';
    }
    return typeof tag === 'string' ? tag : '';
  }

  function tagShown(value, name) {
    var tag = toStringTag(value);
    return tag === name || own.call(value, Symbol.toStringTag) ? '' : tag;
  }

  // How a kind of object is shown: { base, open, close, items(), isList }
  function shapeOf(value, state) {
    var name = constructorName(value);
    var tag = tagShown(value, name);
    if (Array.isArray(value)) {
      var plain = name === 'Array' && tag === '';
      return list(plain ? '' : prefix(name, tag, 'Array', value.length), function () {
        return arrayItems(value, state);
      }, value.length);
    }
    var kind = host.kind(value);
    return shapes(value, state, name, tag, kind) || object(value, name, tag, kind);
  }

  function list(before, items, length) {
    return { base: '', open: before + '[', close: ']', items: items, isList: true, empty: length === 0 };
  }

  function braces(before, items, empty) {
    return { base: '', open: before + '{', close: '}', items: items, isList: false, empty: empty };
  }

  function based(text) {
    return { base: text, open: '{', close: '}', items: none, isList: false, empty: true };
  }

  function none() {
    return [];
  }

  function shapes(value, state, name, tag, kind) {
    if (value instanceof Set && kind === 'Set') {
      return braces(prefix(name, tag, 'Set', value.size), function () {
        return setItems(value, state);
      }, value.size === 0);
    }
    if (value instanceof Map && kind === 'Map') {
      return braces(prefix(name, tag, 'Map', value.size), function () {
        return mapItems(value, state);
      }, value.size === 0);
    }
    if (ArrayBuffer.isView(value)) {
      return kind === 'DataView' ? view(value, state) : list(prefix(name, tag === kind ? '' : tag, kind, value.length), function () {
        return arrayItems(value, state);
      }, value.length);
    }
    if (kind === 'ArrayBuffer') {
      return buffer(value, state);
    }
    if (kind === 'Promise') {
      return braces('Promise ', function () {
        return ['<pending>'];
      }, false);
    }
    if (kind === 'WeakSet' || kind === 'WeakMap') {
      return braces(kind + ' ', function () {
        return ['<items unknown>'];
      }, false);
    }
    return simple(value, state, name, tag, kind);
  }

  function simple(value, state, name, tag, kind) {
    if (typeof value === 'function') {
      return based(functionText(value, name, tag));
    }
    if (kind === 'RegExp') {
      return based(RegExp.prototype.toString.call(value));
    }
    if (kind === 'Date') {
      return based(isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString());
    }
    if (kind === 'Error') {
      return based(errorText(value, name, state));
    }
    if (kind === 'Number' || kind === 'Boolean' || kind === 'String' || kind === 'BigInt' || kind === 'Symbol') {
      return based('[' + kind + ': ' + primitive(value.valueOf(), state, false) + ']');
    }
    if (kind === 'Arguments') {
      return braces('[Arguments] ', none, true);
    }
    return null;
  }

  function object(value, name, tag, kind) {
    if (/ Iterator$/.test(tag) || tag === 'Generator') {
      return braces('Object [' + tag + '] ', none, true);
    }
    var plain = name === 'Object' && tag === '';
    return braces(plain ? '' : prefix(name, tag, 'Object'), none, true);
  }

  function functionText(value, name, tag) {
    var kind = /^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'Function';
    if (kind === 'class') {
      return '[class ' + (value.name || '(anonymous)') + ']';
    }
    var text = '[Function' + (name === null ? ' (null prototype)' : '');
    return text + (value.name === '' || typeof value.name !== 'string' ? ' (anonymous)' : ': ' + value.name) + ']';
  }

  function errorText(error, name, state) {
    var stack = typeof error.stack === 'string' && error.stack !== '' ? error.stack : Error.prototype.toString.call(error);
    var shown = typeof error.name === 'string' ? error.name : name;
    if (name !== null && shown === 'Error' && name !== 'Error' && stack.indexOf(name) < 0) {
      stack = stack.replace(/^Error/, name);
    } else if (name !== null && shown !== 'Error' && /^Error\b/.test(stack) && shown !== null) {
      stack = stack.replace(/^Error/, shown === name ? shown : shown);
    }
    if (!/\n    at /.test(stack)) {
      stack = '[' + stack + ']';
    }
    return state.indent ? stack.replace(/\n/g, '\n' + ' '.repeat(state.indent)) : stack;
  }

  function bytes(array) {
    return Array.prototype.map.call(array, function (one) {
      return hex(one, 2).toLowerCase();
    }).join(' ');
  }

  function buffer(value, state) {
    return braces('ArrayBuffer ', function () {
      var most = Math.min(state.maxArrayLength, value.byteLength);
      var more = value.byteLength - most;
      var text = bytes(new Uint8Array(value, 0, most));
      return ['[Uint8Contents]: <' + text + (more > 0 ? ' ... ' + more + ' more byte' + (more > 1 ? 's' : '') : '') + '>',
        'byteLength: ' + value.byteLength];
    }, false);
  }

  function view(value, state) {
    return braces('DataView ', function () {
      return ['byteLength: ' + value.byteLength, 'byteOffset: ' + value.byteOffset, 'buffer: ' + nested(value.buffer, state)];
    }, false);
  }

  function more(count) {
    return '... ' + count + ' more item' + (count > 1 ? 's' : '');
  }

  function arrayItems(value, state) {
    var items = [];
    var length = value.length;
    var most = state.maxArrayLength;
    for (var i = 0; i < length && items.length < most; i++) {
      if (own.call(value, i)) {
        items.push(property(value, String(i), state, true));
        continue;
      }
      var from = i;
      while (i + 1 < length && !own.call(value, i + 1)) {
        i++;
      }
      var holes = i - from + 1;
      items.push('<' + holes + ' empty item' + (holes > 1 ? 's' : '') + '>');
    }
    if (i < length) {
      items.push(more(length - i));
    }
    return items;
  }

  function setItems(value, state) {
    var items = [];
    state.indent += 2;
    value.forEach(function (item) {
      if (items.length < state.maxArrayLength) {
        items.push(format(item, state, true));
      }
    });
    state.indent -= 2;
    if (value.size > state.maxArrayLength) {
      items.push(more(value.size - state.maxArrayLength));
    }
    return items;
  }

  function mapItems(value, state) {
    var items = [];
    state.indent += 2;
    value.forEach(function (item, key) {
      if (items.length < state.maxArrayLength) {
        items.push(format(key, state, true) + ' => ' + format(item, state, true));
      }
    });
    state.indent -= 2;
    if (value.size > state.maxArrayLength) {
      items.push(more(value.size - state.maxArrayLength));
    }
    return items;
  }

  function nested(value, state) {
    state.indent += 2;
    var text = format(value, state, true);
    state.indent -= 2;
    return text;
  }

  function property(value, key, state, isItem) {
    var descriptor = Object.getOwnPropertyDescriptor(value, key) || { value: value[key], enumerable: true };
    var text;
    if (descriptor.get !== undefined) {
      text = descriptor.set !== undefined ? '[Getter/Setter]' : '[Getter]';
    } else if (descriptor.set !== undefined) {
      text = '[Setter]';
    } else {
      text = nested(descriptor.value, state);
    }
    return isItem ? text : label(key, descriptor.enumerable) + ': ' + text;
  }

  function label(key, visible) {
    if (typeof key === 'symbol') {
      return '[' + String(key) + ']';
    }
    if (key === '__proto__') {
      return "['__proto__']";
    }
    if (!visible) {
      return '[' + key + ']';
    }
    return IDENTIFIER.test(key) ? key : quote(key);
  }

  function format(value, state, isNested) {
    if (value === null || typeof value !== 'object' && typeof value !== 'function') {
      return primitive(value, state, isNested);
    }
    if (state.customInspect) {
      var custom = value[CUSTOM];
      if (typeof custom === 'function' && custom !== inspect) {
        return customized(value, custom, state);
      }
    }
    if (host.kind(value) === 'Uint8Array' && value instanceof Buffer) {
      return String(Buffer.prototype.inspect.call(value));
    }
    if (state.seen.indexOf(value) >= 0) {
      if (state.circular.indexOf(value) < 0) {
        state.circular.push(value);
      }
      return '[Circular *' + (state.circular.indexOf(value) + 1) + ']';
    }
    return objectText(value, state);
  }

  function customized(value, custom, state) {
    var depth = state.depth === null ? null : state.depth - state.level;
    var options = Object.assign({ stylize: String }, state.options, { depth: depth });
    var shown = custom.call(value, depth, options, inspect);
    if (typeof shown === 'string') {
      return shown.replace(/\n/g, '\n' + ' '.repeat(state.indent));
    }
    return shown === value ? objectText(value, state) : format(shown, state, true);
  }

  function objectText(value, state) {
    var shape = shapeOf(value, state);
    var keys = extraKeys(value, shape, state);
    if (keys.length === 0 && shape.empty) {
      return shape.base !== '' ? shape.base : shape.open + shape.close;
    }
    return state.depth !== null && state.level > state.depth ? tooDeep(value) : filled(value, shape, keys, state);
  }

  function tooDeep(value) {
    if (Array.isArray(value)) {
      return '[Array]';
    }
    var name = constructorName(value);
    return '[' + prefix(name, tagShown(value, name), 'Object').slice(0, -1) + ']';
  }

  function extraKeys(value, shape, state) {
    var keys = keysOf(value, state);
    if (shape.isList || host.kind(value) === 'String') {
      keys = keys.filter(function (key) {
        return typeof key === 'symbol' || !/^(0|[1-9]\d*)$/.test(key) && key !== 'length';
      });
    }
    if (host.kind(value) === 'Error') {
      keys = keys.filter(function (key) {
        return key !== 'stack' && key !== 'message' && !((key === 'fileName' || key === 'lineNumber') && own.call(value, 'lineNumber'))
          && !(key === 'name' && shape.base.indexOf(value.name) >= 0);
      });
      if (own.call(value, 'cause') && keys.indexOf('cause') < 0) {
        keys.push('cause');
      }
      if (own.call(value, 'errors') && Array.isArray(value.errors) && keys.indexOf('errors') < 0) {
        keys.push('errors');
      }
    }
    return keys;
  }

  function filled(value, shape, keys, state) {
    state.seen.push(value);
    state.current = state.level;
    var level = state.level++;
    var items = shape.items();
    keys.forEach(function (key) {
      items.push(property(value, key, state, false));
    });
    state.level = level;
    state.seen.pop();
    var open = shape.open;
    var circular = state.circular.indexOf(value);
    var base = shape.base;
    if (circular >= 0) {
      var reference = '<ref *' + (circular + 1) + '> ';
      if (base === '') {
        open = reference + open;
      } else {
        base = reference + base;
      }
    }
    if (state.sorted) {
      items = typeof state.sorted === 'function' ? items.sort(state.sorted) : shape.isList ? items : items.sort();
    }
    return joined(items, base, open, shape, value, state);
  }

  function joined(items, base, open, shape, value, state) {
    var count = items.length;
    var output = items;
    var before = base === '' ? '' : base + ' ';
    if (state.compact === true || typeof state.compact === 'number' && state.compact >= 1) {
      if (shape.isList && count > 6 && state.compact !== true) {
        output = columns(items, state, value);
      }
      if (state.current - state.level < state.compact && count === output.length || state.compact === true) {
        var start = output.length + state.indent + open.length + base.length + 10;
        if (fits(output, start, base, state)) {
          var line = output.join(', ');
          if (line.indexOf('\n') < 0) {
            return before + open + ' ' + line + ' ' + shape.close;
          }
        }
      }
    }
    var indentation = '\n' + ' '.repeat(state.indent);
    return before + open + indentation + '  ' + output.join(',' + indentation + '  ') + indentation + shape.close;
  }

  function fits(output, start, base, state) {
    var total = output.length + start;
    if (total + output.length > state.breakLength) {
      return false;
    }
    for (var i = 0; i < output.length; i++) {
      total += output[i].length;
      if (total > state.breakLength) {
        return false;
      }
    }
    return base === '' || base.indexOf('\n') < 0;
  }

  // Many short items stand in columns, as many as look well for their widths.
  function columns(output, state, value) {
    var hasMore = state.maxArrayLength < output.length && /^\.\.\. /.test(output[output.length - 1]);
    var count = hasMore ? output.length - 1 : output.length;
    var widths = output.slice(0, count).map(width);
    var total = widths.reduce(function (sum, one) {
      return sum + one + 2;
    }, 0);
    var widest = Math.max.apply(null, widths);
    var cell = widest + 2;
    if (cell * 3 + state.indent >= state.breakLength || !(total / cell > 5 || widest <= 6)) {
      return output;
    }
    var biased = Math.max(cell - 3 - Math.sqrt(cell - total / output.length), 1);
    var across = Math.min(Math.round(Math.sqrt(2.5 * biased * count) / biased),
      Math.floor((state.breakLength - state.indent) / cell), state.compact * 4, 15);
    return across <= 1 ? output : rows(output, count, widths, across, value);
  }

  function rows(output, count, widths, across, value) {
    var numeric = value !== undefined && output.every(function (item, i) {
      return typeof value[i] === 'number' || typeof value[i] === 'bigint';
    });
    var sizes = [];
    for (var column = 0; column < across; column++) {
      var size = 0;
      for (var at = column; at < count; at += across) {
        size = Math.max(size, widths[at]);
      }
      sizes.push(size + 2);
    }
    var lines = [];
    for (var i = 0; i < count; i += across) {
      lines.push(row(output, i, Math.min(i + across, count), sizes, widths, numeric));
    }
    return count < output.length ? lines.concat(output[count]) : lines;
  }

  function row(output, from, to, sizes, widths, numeric) {
    var line = '';
    for (var i = from; i < to; i++) {
      var last = i === to - 1;
      var room = sizes[i - from] + output[i].length - widths[i];
      if (numeric) {
        line += last ? output[i].padStart(room - 2) : (output[i] + ', ').padStart(room);
      } else {
        line += last ? output[i] : (output[i] + ', ').padEnd(room);
      }
    }
    return line;
  }

  function width(text) {
    return /^[\x20-\x7e]*$/.test(text) ? text.length : Array.from(text).reduce(function (sum, character) {
      return sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\ud83c-\ud83e]./.test(character) ? 2
        : /[\u0300-\u036f\u200b-\u200f\ufe00-\ufe0f]/.test(character) ? 0 : 1);
    }, 0);
  }

  function limit(value, usual) {
    return value === undefined ? usual : value === null ? Infinity : Math.max(0, Number(value));
  }

  function inspect(value, options) {
    var given = options !== null && typeof options === 'object' ? options
      : { showHidden: !!options, depth: arguments[2] };
    var depth = given.depth === undefined ? 2 : given.depth;
    var state = {
      seen: [], circular: [], indent: 0, level: 0, current: 0, options: given,
      depth: depth === null || depth === Infinity ? null : depth,
      showHidden: !!given.showHidden,
      customInspect: given.customInspect === undefined ? true : given.customInspect,
      maxArrayLength: limit(given.maxArrayLength, 100),
      maxStringLength: limit(given.maxStringLength, 10000),
      breakLength: given.breakLength === undefined ? LINE : given.breakLength,
      compact: given.compact === undefined ? 3 : given.compact === false ? 0 : given.compact,
      sorted: given.sorted
    };
    return format(value, state, false);
  }
  inspect.custom = CUSTOM;
  inspect.defaultOptions = {
    showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false,
    maxArrayLength: 100, maxStringLength: 10000, breakLength: LINE, compact: 3, sorted: false,
    getters: false, numericSeparator: false
  };

  var BUILT_IN = ['Object', 'Array', 'Function', 'Date', 'RegExp', 'Error', 'Map', 'Set', 'Promise', 'Boolean', 'Number', 'String', 'Symbol', 'BigInt', 'Uint8Array'];

  function hasOwnText(value) {
    var object = value;
    while (object !== null && !own.call(object, 'toString')) {
      object = Object.getPrototypeOf(object);
    }
    if (object === null || object === value) {
      return object === value;
    }
    var descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
    return !(descriptor && typeof descriptor.value === 'function' && BUILT_IN.indexOf(descriptor.value.name) >= 0);
  }

  function asString(value, options) {
    if (typeof value === 'bigint') {
      return value + 'n';
    }
    if (Object.is(value, -0)) {
      return '-0';
    }
    if (value === null || typeof value !== 'object' || hasOwnText(value)) {
      return String(value);
    }
    return inspect(value, Object.assign({}, options, { depth: 0, colors: false, compact: 3 }));
  }

  function asNumber(value, convert) {
    if (typeof value === 'bigint') {
      return value + 'n';
    }
    return typeof value === 'symbol' ? 'NaN' : primitive(convert(value), null, false);
  }

  function asJson(value) {
    try {
      return String(JSON.stringify(value));
    } catch (e) {
      if (/circular|cyclic/i.test(e.message)) {
        return '[Circular]';
      }
      throw e;
    }
  }

  function convert(letter, value, options) {
    switch (letter) {
      case 's':
        return asString(value, options);
      case 'd':
        return asNumber(value, function (v) {
          return typeof v === 'object' && v !== null ? NaN : Number(v);
        });
      case 'i':
        return asNumber(value, function (v) {
          return typeof v === 'object' ? NaN : parseInt(v);
        });
      case 'f':
        return typeof value === 'symbol' ? 'NaN' : primitive(parseFloat(value), null, false);
      case 'j':
        return asJson(value);
      case 'o':
        return inspect(value, Object.assign({}, options, { showHidden: true, showProxy: true, depth: 4 }));
      case 'O':
        return inspect(value, options);
      default:
        return '';
    }
  }

  function formatAll(options, args) {
    var at = 0;
    var text = '';
    if (typeof args[0] === 'string') {
      at = 1;
      text = args.length === 1 ? args[0] : args[0].replace(/%([sdifjoOc%])/g, function (all, letter) {
        if (letter === '%') {
          return '%';
        }
        return at < args.length ? convert(letter, args[at++], options) : all;
      });
    }
    for (var i = at; i < args.length; i++) {
      text += (i > 0 ? ' ' : '') + (typeof args[i] === 'string' ? args[i] : inspect(args[i], options));
    }
    return text;
  }

  function received(value) {
    if (value === undefined || value === null) {
      return String(value);
    }
    if (typeof value === 'function') {
      return 'function ' + value.name;
    }
    if (typeof value === 'object') {
      var name = value.constructor && value.constructor.name;
      return name ? 'an instance of ' + name : inspect(value, { depth: -1 });
    }
    var isText = typeof value === 'string';
    var text = isText ? value : inspect(value);
    var shown = text.length > 28 ? text.slice(0, 25) + '...' : text;
    return 'type ' + typeof value + ' (' + (isText ? quote(shown) : shown) + ')';
  }

  function receivedValue(value) {
    var text = inspect(value);
    return text.length > 128 ? text.slice(0, 128) + '...' : text;
  }

  function grouped(text) {
    var start = text[0] === '-' ? 1 : 0;
    var head = start + ((text.length - start) % 3 || 3);
    var groups = [text.slice(0, head)];
    for (var i = head; i < text.length; i += 3) {
      groups.push(text.slice(i, i + 3));
    }
    return groups.join('_');
  }

  // Digits above 2 ** 32 are separated.
  function receivedNumber(value) {
    var isBig = typeof value === 'bigint';
    if ((isBig || Number.isInteger(value)) && Math.abs(Number(value)) > 0x100000000) {
      return grouped(String(value)) + (isBig ? 'n' : '');
    }
    return inspect(value);
  }

  // Returns the error for an argument of a wrong type.
  function wrongArgument(name, expected, value) {
    var error = new TypeError('The "' + name + '" argument must be ' + expected + '. Received ' + received(value));
    error.code = 'ERR_INVALID_ARG_TYPE';
    return error;
  }

  return {
    inspect: inspect,
    wrongArgument: wrongArgument,
    received: received,
    receivedNumber: receivedNumber,
    receivedValue: receivedValue,
    format: function format() {
      return formatAll(undefined, arguments);
    },
    formatWithOptions: function formatWithOptions(options) {
      return formatAll(options, Array.prototype.slice.call(arguments, 1));
    }
  };
})
