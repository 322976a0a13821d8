// The module querystring.
(function (host, load) {
  'use strict';

  function escape(value) {
    var text = typeof value === 'string' ? value : typeof value === 'object' ? String(value) : value + '';
    return encodeURIComponent(text);
  }

  function unescape(text) {
    var plain = String(text);
    return plain.indexOf('%') < 0 ? plain : host.decodePercent(plain);
  }

  function primitive(value) {
    switch (typeof value) {
      case 'string':
        return value;
      case 'number':
        return isFinite(value) ? '' + value : '';
      case 'bigint':
      case 'boolean':
        return '' + value;
      default:
        return '';
    }
  }

  function stringify(object, separator, equals, options) {
    if (object === null || typeof object !== 'object') {
      return '';
    }
    var encode = options && typeof options.encodeURIComponent === 'function' ? options.encodeURIComponent : made.escape;
    var eq = equals || '=';
    var fields = [];
    Object.keys(object).forEach(function (key) {
      var start = encode(primitive(key)) + eq;
      [].concat(object[key]).forEach(function (value) {
        fields.push(start + encode(primitive(value)));
      });
    });
    return fields.join(separator || '&');
  }

  function decoded(text, decode) {
    var spaced = text.replace(/\+/g, ' ');
    if (spaced.indexOf('%') < 0) {
      return spaced;
    }
    try {
      return decode(spaced);
    } catch (e) {
      return unescape(spaced);
    }
  }

  function parse(text, separator, equals, options) {
    var result = Object.create(null);
    if (typeof text !== 'string' || text.length === 0) {
      return result;
    }
    var eq = equals ? String(equals) : '=';
    var most = options && typeof options.maxKeys === 'number' ? options.maxKeys : 1000;
    var decode = options && typeof options.decodeURIComponent === 'function' ? options.decodeURIComponent : made.unescape;
    var fields = text.split(separator ? String(separator) : '&').filter(Boolean);
    (most > 0 ? fields.slice(0, most) : fields).forEach(function (field) {
      var at = field.indexOf(eq);
      var key = decoded(at < 0 ? field : field.slice(0, at), decode);
      var value = at < 0 ? '' : decoded(field.slice(at + eq.length), decode);
      if (!(key in result)) {
        result[key] = value;
      } else if (Array.isArray(result[key])) {
        result[key].push(value);
      } else {
        result[key] = [result[key], value];
      }
    });
    return result;
  }

  var made = {
    unescape: unescape,
    escape: escape,
    stringify: stringify,
    encode: stringify,
    parse: parse,
    decode: parse
  };
  return made;
})
