// The old functions of the module url, which take other texts for a host than the standard does.
(function (host, load) {
  'use strict';
  var querystring = load('querystring');
  var URL = load('url').URL;
  var SLASHED = /^(?:https?|ftp|gopher|file|wss?):?$/;
  var FORBIDDEN = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
  var FORBIDDEN_IPV6 = /[\0\t\n\r #%/<>?@\\^|]/;

  var PARTS = ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href'];

  function Url() {
    var url = this;
    PARTS.forEach(function (name) {
      url[name] = null;
    });
  }

  function failed(code, message, values) {
    var error = new TypeError(message);
    error.code = code;
    return Object.assign(error, values);
  }

  function escaped(character) {
    return '%' + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
  }

  function isIpv6(hostname) {
    return /^\[[^]*\]$/.test(hostname);
  }

  function parse(url, parseQuery, slashesDenoteHost) {
    if (url instanceof Url) {
      return url;
    }
    if (typeof url !== 'string') {
      throw failed('ERR_INVALID_ARG_TYPE', 'The "url" argument must be of type string. Received ' + load('inspect').received(url));
    }
    var made = new Url();
    var rest = url.replace(/^[\0- \xa0\ufeff]+|[\0- \xa0\ufeff]+$/g, '').replace(/^[^?#]+/, function (start) {
      return start.replace(/\\/g, '/');
    });
    var path = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(rest);
    if (path && !slashesDenoteHost && rest.indexOf('#') < 0 && path[1].indexOf('@') < 0) {
      made.path = made.href = rest;
      made.pathname = path[1];
      setQuery(made, path[2], parseQuery);
      return made;
    }
    var protocol = (/^[a-z0-9.+-]+:/i.exec(rest) || [''])[0];
    made.protocol = protocol.toLowerCase() || null;
    rest = rest.slice(protocol.length);
    var script = made.protocol === 'javascript:';
    var slashes = (slashesDenoteHost || protocol || /^\/\/[^@/]+@[^@/]+/.test(rest)) && rest.slice(0, 2) === '//';
    if (slashes && !script) {
      rest = rest.slice(2);
      made.slashes = true;
    }
    if (!script && (slashes || protocol && !SLASHED.test(protocol))) {
      rest = takeHost(made, rest, url);
    }
    if (!script) {
      rest = rest.replace(/[\t\n\r "'<>\\^`{|}]/g, escaped);
    }
    var parts = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(rest);
    made.hash = parts[3] || null;
    setQuery(made, parts[2], parseQuery);
    made.pathname = parts[1] || (SLASHED.test(made.protocol) && made.hostname ? '/' : null);
    made.path = made.pathname || made.search ? (made.pathname || '') + (made.search || '') : null;
    made.href = format(made);
    return made;
  }

  function setQuery(url, search, parseQuery) {
    url.search = search || null;
    url.query = parseQuery ? querystring.parse((search || '').slice(1)) : search ? search.slice(1) : null;
  }

  // Sets the parts up to the host, and returns the text after it.
  function takeHost(made, text, url) {
    var end = text.search(/[#/?]/);
    var authority = (end < 0 ? text : text.slice(0, end)).replace(/[\t\n\r]/g, '');
    var at = authority.lastIndexOf('@');
    made.auth = at < 0 ? null : decodeURIComponent(authority.slice(0, at));
    authority = authority.slice(at + 1);
    var host = /^[^ "%';<>\\^`{|}]*/.exec(authority)[0];
    var rest = authority.slice(host.length) + (end < 0 ? '' : text.slice(end));
    var port = (/:[0-9]*$/.exec(host) || [''])[0];
    made.port = port.slice(1) || null;
    made.hostname = host.slice(0, host.length - port.length);
    var ipv6 = isIpv6(made.hostname);
    var colon = made.hostname.indexOf(':');
    if (!ipv6 && colon >= 0) {
      rest = '/' + made.hostname.slice(colon) + rest;
      made.hostname = made.hostname.slice(0, colon);
    }
    made.hostname = made.hostname.length > 255 ? '' : made.hostname.toLowerCase();
    if (made.hostname !== '') {
      made.hostname = /[^\0-\x7f]/.test(made.hostname) ? load('url').domainToASCII(made.hostname) : made.hostname;
      if (made.hostname === '' || (ipv6 ? FORBIDDEN_IPV6 : FORBIDDEN).test(made.hostname)) {
        throw failed('ERR_INVALID_URL', 'Invalid URL', { input: url });
      }
    }
    made.host = made.hostname + (made.port ? ':' + made.port : '');
    if (ipv6) {
      made.hostname = made.hostname.slice(1, -1);
      rest = rest[0] === '/' ? rest : '/' + rest;
    }
    return rest;
  }

  function hostOf(url) {
    var hostname = url.hostname || '';
    return url.host || (hostname.indexOf(':') >= 0 && !isIpv6(hostname) ? '[' + hostname + ']' : hostname)
      + (hostname && url.port ? ':' + url.port : '');
  }

  function format(given) {
    var url = typeof given === 'string' ? parse(given) : given;
    if (url === null || typeof url !== 'object') {
      throw failed('ERR_INVALID_ARG_TYPE', 'The "urlObject" argument must be one of type object or string. Received ' + load('inspect').received(url));
    }
    var protocol = (url.protocol || '').replace(/([^:])$/, '$1:');
    var query = url.query !== null && typeof url.query === 'object' ? querystring.stringify(url.query) : '';
    var search = (url.search || query && '?' + query || '').replace(/#/g, '%23').replace(/^(?=[^?])/, '?');
    var hash = (url.hash || '').replace(/^(?=[^#])/, '#');
    var pathname = (url.pathname || '').replace(/[#?]/g, escaped);
    var authority = hostOf(url);
    if (authority && url.auth) {
      authority = encodeURIComponent(url.auth).replace(/%3A/g, ':') + '@' + authority;
    }
    if (url.slashes || authority && SLASHED.test(protocol)) {
      pathname = pathname.replace(/^(?=[^/])/, '/');
      authority = '//' + authority;
    } else if (/^file/.test(protocol)) {
      authority = '//';
    }
    return protocol + authority + pathname + search + hash;
  }

  // As the documentation of Node.js recommends: by the standard.
  function resolve(from, to) {
    var resolved = new URL(to, new URL(from, 'resolve://'));
    if (resolved.protocol !== 'resolve:') {
      return resolved.href;
    }
    var isRelative = !/^\//.test(from) && !/^\//.test(to);
    return resolved.pathname.slice(isRelative ? 1 : 0) + resolved.search + resolved.hash;
  }

  function resolveObject(from, to) {
    return parse(resolve(from, to));
  }

  Url.prototype.format = function () {
    return format(this);
  };

  return { parse: parse, format: format, resolve: resolve, resolveObject: resolveObject };
})
