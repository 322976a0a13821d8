// The module url: the classes of core-js, with the errors of Node.js and what it shows of them.
(function (host, load) {
  'use strict';
  var standard = load('url-standard');
  var StandardURL = standard.URL;
  var hide = load('define').hide;
  var URLSearchParams = standard.URLSearchParams;

  function invalid(input, base) {
    var error = new TypeError('Invalid URL');
    error.code = 'ERR_INVALID_URL';
    error.input = input;
    if (base !== undefined) {
      error.base = base;
    }
    return error;
  }

  function URL(input, base) {
    load('define').needsNew(this, URL, 'URL');
    if (arguments.length === 0) {
      var missing = new TypeError('The "url" argument must be specified');
      missing.code = 'ERR_MISSING_ARGS';
      throw missing;
    }
    var text = String(input);
    var from = base === undefined ? undefined : String(base);
    try {
      StandardURL.call(this, text, from);
    } catch (e) {
      throw invalid(text, from);
    }
  }

  URL.prototype = StandardURL.prototype;
  hide(URL.prototype, 'constructor', URL);

  var href = Object.getOwnPropertyDescriptor(URL.prototype, 'href');
  Object.defineProperty(URL.prototype, 'href', {
    set: function (value) {
      href.set.call(this, new URL(value).href);
    }
  });
  URL.canParse = function canParse(input, base) {
    var text = String(input);
    var from = base === undefined ? undefined : String(base);
    try {
      return Boolean(new StandardURL(text, from));
    } catch (e) {
      return false;
    }
  };
  hide(URL.prototype, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
    var url = this;
    var shown = {};
    ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash'].forEach(function (name) {
      shown[name] = url[name];
    });
    return depth < 0 ? '[URL]' : 'URL ' + inspect(shown, options);
  });
  hide(URLSearchParams.prototype, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
    if (depth < 0) {
      return '[Object]';
    }
    var shown = Array.from(this, function (pair) {
      return inspect(pair[0], options) + ' => ' + inspect(pair[1], options);
    });
    return shown.length ? 'URLSearchParams { ' + shown.join(', ') + ' }' : 'URLSearchParams {}';
  });

  function legacy(name) {
    return function () {
      return load('url-legacy')[name].apply(undefined, arguments);
    };
  }

  function format(url, options) {
    if (!(url instanceof URL)) {
      return load('url-legacy').format(url);
    }
    return options ? formatWith(options, new URL(url.href)) : url.href;
  }

  function formatWith(options, copy) {
    if (typeof options !== 'object' || Array.isArray(options)) {
      throw load('inspect').wrongArgument('options', 'of type object', options);
    }
    if (isOff(options.auth)) {
      copy.username = copy.password = '';
    }
    if (isOff(options.search)) {
      copy.search = '';
    }
    if (isOff(options.fragment)) {
      copy.hash = '';
    }
    return options.unicode ? withUnicodeHost(copy.href) : copy.href;
  }

  function isOff(option) {
    return option !== undefined && option !== null && !option;
  }

  function withUnicodeHost(href) {
    return href.replace(/^([^:]*:\/\/(?:[^/?#@]*@)?)([^/?#:]*)/, function (all, start, hostname) {
      return start + load('punycode').toUnicode(hostname);
    });
  }

  function domainToASCII(domain) {
    try {
      return new URL('ws://' + domain).hostname;
    } catch (e) {
      return '';
    }
  }

  function domainToUnicode(domain) {
    return load('punycode').toUnicode(domainToASCII(domain));
  }

  function urlToHttpOptions(url) {
    var options = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      hash: url.hash,
      search: url.search,
      pathname: url.pathname,
      path: url.pathname + url.search,
      href: url.href
    };
    if (url.port !== '') {
      options.port = Number(url.port);
    }
    if (url.username || url.password) {
      options.auth = decodeURIComponent(url.username) + ':' + decodeURIComponent(url.password);
    }
    return options;
  }

  // A URL would give these characters another meaning, or write them in another way.
  function pathToFileURL(path) {
    if (typeof path !== 'string') {
      throw load('inspect').wrongArgument('path', 'of type string', path);
    }
    var folder = /.\/$/.test(path) ? '/' : '';
    var url = new URL('file:///');
    url.pathname = (load('path').resolve(path) + folder).replace(/[\t\n\r#%?\\^|~]/g, function (character) {
      return (character < ' ' ? '%0' : '%') + character.charCodeAt(0).toString(16).toUpperCase();
    });
    return url;
  }

  function notOfFile(code, message) {
    var error = new TypeError(message);
    error.code = code;
    return error;
  }

  function fileURLToPath(path) {
    if (typeof path !== 'string' && !(path instanceof URL)) {
      throw load('inspect').wrongArgument('path', 'of type string or an instance of URL', path);
    }
    var url = new URL(path);
    if (url.protocol !== 'file:') {
      throw notOfFile('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
    }
    if (url.hostname !== '') {
      throw notOfFile('ERR_INVALID_FILE_URL_HOST', 'File URL host must be "localhost" or empty on linux');
    }
    if (/%2f/i.test(url.pathname)) {
      throw notOfFile('ERR_INVALID_FILE_URL_PATH', 'File URL path must not include encoded / characters');
    }
    return decodeURIComponent(url.pathname);
  }

  return {
    get Url() {
      return load('url-legacy').Url;
    },
    parse: legacy('parse'),
    resolve: legacy('resolve'),
    resolveObject: legacy('resolveObject'),
    format: format,
    URL: URL,
    URLSearchParams: URLSearchParams,
    domainToASCII: domainToASCII,
    domainToUnicode: domainToUnicode,
    pathToFileURL: pathToFileURL,
    fileURLToPath: fileURLToPath,
    urlToHttpOptions: urlToHttpOptions
  };
})
