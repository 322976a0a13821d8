// The old functions of the module url, which take other texts for a host than the standard does.
(function (host, load) {
  'use strict';
  var querystring = load('querystring');
  var standard = load('url');
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

  function escaped(character) {
    return '%' + character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
  }

  function isIpv6(hostname) {
    return /^\[[^]*\]$/.test(hostname);
  }

  function isSpace(code) {
    return code <= 0x20 || code === 0xa0 || code === 0xfeff;
  }

  // By loops: a regular expression for spaces at the end is tried at each space of the text.
  function trimmed(text) {
    var start = 0;
    var end = text.length;
    while (start < end && isSpace(text.charCodeAt(start))) {
      start++;
    }
    while (end > start && isSpace(text.charCodeAt(end - 1))) {
      end--;
    }
    return text.slice(start, end);
  }

  Url.prototype.parse = function (input, parseQuery, slashesDenoteHost) {
    if (typeof input !== 'string') {
      throw load('inspect').wrongArgument('url', 'of type string', input);
    }
    var text = trimmed(input).replace(/^[^?#]+/, function (start) {
      return start.replace(/\\/g, '/');
    });
    if (!slashesDenoteHost && setSimplePath(this, text, parseQuery)) {
      return this;
    }
    var protocol = (/^[a-z0-9.+-]+:/i.exec(text) || [''])[0];
    this.protocol = protocol.toLowerCase() || null;
    var rest = text.slice(protocol.length);
    if (this.protocol !== 'javascript:') {
      this.slashes = (slashesDenoteHost || protocol || /^\/\/[^@/]+@[^@/]+/.test(rest)) && /^\/\//.test(rest) || null;
      rest = this.slashes ? rest.slice(2) : rest;
      if (this.slashes || protocol && !SLASHED.test(protocol)) {
        rest = takeAuthority(this, rest, input);
      }
      rest = rest.replace(/[\t\n\r "'<>\\^`{|}]/g, escaped);
    }
    setPath(this, rest, parseQuery);
    this.href = format(this);
    return this;
  };

  // Returns whether the text is only an absolute path and a query.
  function setSimplePath(url, text, parseQuery) {
    var path = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(text);
    if (!path || text.indexOf('#') >= 0 || path[1].indexOf('@') >= 0) {
      return false;
    }
    url.path = url.href = text;
    url.pathname = path[1];
    setQuery(url, path[2], parseQuery);
    return true;
  }

  function setPath(url, text, parseQuery) {
    var parts = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(text);
    url.hash = parts[3] || null;
    setQuery(url, parts[2], parseQuery);
    url.pathname = parts[1] || (SLASHED.test(url.protocol) && url.hostname ? '/' : null);
    url.path = url.pathname || url.search ? (url.pathname || '') + (url.search || '') : null;
  }

  function setQuery(url, search, parseQuery) {
    url.search = search || null;
    url.query = parseQuery ? querystring.parse((search || '').slice(1)) : search ? search.slice(1) : null;
  }

  // Sets auth, port, hostname and host, and returns the text after them.
  function takeAuthority(url, text, input) {
    var end = text.search(/[#/?]/);
    var authority = (end < 0 ? text : text.slice(0, end)).replace(/[\t\n\r]/g, '');
    var at = authority.lastIndexOf('@');
    url.auth = at < 0 ? null : decodeURIComponent(authority.slice(0, at));
    authority = authority.slice(at + 1);
    var host = /^[^ "%';<>\\^`{|}]*/.exec(authority)[0];
    var rest = authority.slice(host.length) + (end < 0 ? '' : text.slice(end));
    var port = (/:[0-9]*$/.exec(host) || [''])[0];
    url.port = port.slice(1) || null;
    return takeHostname(url, host.slice(0, host.length - port.length), rest, input);
  }

  function takeHostname(url, hostname, rest, input) {
    var isAddress = isIpv6(hostname);
    var colon = isAddress ? -1 : hostname.indexOf(':');
    var name = normalized(colon < 0 ? hostname : hostname.slice(0, colon), input);
    url.hostname = isAddress ? name.slice(1, -1) : name;
    url.host = name + (url.port ? ':' + url.port : '');
    if (isAddress) {
      return rest.replace(/^(?!\/)/, '/');
    }
    return colon < 0 ? rest : '/' + hostname.slice(colon) + rest;
  }

  function normalized(hostname, input) {
    if (hostname === '' || hostname.length > 255) {
      return '';
    }
    var name = hostname.toLowerCase();
    var isAddress = isIpv6(name);
    if (!isAddress && /[^\0-\x7f]/.test(name)) {
      name = standard.domainToASCII(name);
    }
    if (name === '' || (isAddress ? FORBIDDEN_IPV6 : FORBIDDEN).test(name)) {
      throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: input });
    }
    return name;
  }

  function parse(url, parseQuery, slashesDenoteHost) {
    return url instanceof Url ? url : new Url().parse(url, parseQuery, slashesDenoteHost);
  }

  function hostOf(url) {
    var hostname = url.hostname || '';
    return url.host || (hostname.indexOf(':') >= 0 && !isIpv6(hostname) ? '[' + hostname + ']' : hostname)
      + (hostname && url.port ? ':' + url.port : '');
  }

  function format(given) {
    var url = typeof given === 'string' ? parse(given) : given;
    if (url === null || typeof url !== 'object') {
      throw load('inspect').wrongArgument('urlObject', 'one of type object or string', url);
    }
    var protocol = (url.protocol || '').replace(/([^:])$/, '$1:');
    var query = url.query !== null && typeof url.query === 'object' ? querystring.stringify(url.query) : '';
    var search = (url.search || query && '?' + query || '').replace(/#/g, '%23').replace(/^(?=[^?])/, '?');
    var hash = (url.hash || '').replace(/^(?=[^#])/, '#');
    var pathname = String(url.pathname || '').replace(/[#?]/g, escaped);
    var authority = hostOf(url);
    if (authority && url.auth) {
      authority = encodeURIComponent(url.auth).replace(/%3A/g, ':') + '@' + authority;
    }
    if (url.slashes || authority && SLASHED.test(protocol)) {
      pathname = pathname.replace(/^(?=[^/])/, '/');
      authority = '//' + authority;
    } else if (protocol === 'file:') {
      authority = '//';
    }
    return protocol + authority + pathname + search + hash;
  }

  // As the documentation of Node.js recommends: by the standard.
  function resolve(from, to) {
    var source = parse(from, false, true);
    var target = parse(to, false, true);
    var base = format(source);
    var reference = format(target);
    var resolved = new standard.URL(reference, new standard.URL(base, 'resolve://'));
    if (resolved.protocol !== 'resolve:') {
      return resolved.href;
    }
    if (source.slashes || target.slashes) {
      return resolved.href.slice('resolve:'.length);
    }
    // Two slashes at the start would begin a host.
    var path = resolved.pathname.replace(/^\/+/, base[0] === '/' || reference[0] === '/' ? '/' : '');
    return path + resolved.search + resolved.hash;
  }

  function resolveObject(from, to) {
    return from ? parse(resolve(from, to), false, true) : to;
  }

  Url.prototype.format = function () {
    return format(this);
  };

  Url.prototype.resolve = function (to) {
    return resolve(this, to);
  };

  Url.prototype.resolveObject = function (to) {
    return resolveObject(this, to);
  };

  return { Url: Url, parse: parse, format: format, resolve: resolve, resolveObject: resolveObject };
})
