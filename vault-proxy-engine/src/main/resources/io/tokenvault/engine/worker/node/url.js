// URL and URLSearchParams of the WHATWG, and the module url.
(function (host, load) {
  'use strict';
  var PARTS = Symbol('parts');
  var QUERY = Symbol('query');
  var PAIRS = Symbol('pairs');
  var OWNER = Symbol('owner');

  function hide(object, key, value) {
    Object.defineProperty(object, key, { value: value, writable: true, configurable: true });
  }

  function wellFormed(value) {
    var text = String(value);
    return /[\ud800-\udfff]/.test(text) ? text.toWellFormed() : text;
  }

  function invalid(input, base) {
    var error = new TypeError('Invalid URL');
    error.code = 'ERR_INVALID_URL';
    error.input = input;
    if (base !== undefined) {
      error.base = base;
    }
    return error;
  }

  function needsNew(object, Type, name) {
    if (!(object instanceof Type)) {
      throw new TypeError("Class constructor " + name + " cannot be invoked without 'new'");
    }
  }

  function missing(names) {
    var error = new TypeError('The ' + names + ' must be specified');
    error.code = 'ERR_MISSING_ARGS';
    return error;
  }

  function URL(input, base) {
    needsNew(this, URL, 'URL');
    if (arguments.length === 0) {
      throw missing('"url" argument');
    }
    var text = wellFormed(input);
    var from = base === undefined ? undefined : wellFormed(base);
    var parts = host.parseUrl(text, from);
    if (parts === null) {
      throw invalid(text, from);
    }
    hide(this, PARTS, parts);
    hide(this, QUERY, null);
  }

  function change(url, part, value) {
    url[PARTS] = host.setUrl(url[PARTS][0], part, wellFormed(value));
    if (url[QUERY] !== null && part === 'search') {
      url[QUERY][PAIRS] = parseQuery(url[PARTS][8]);
    }
  }

  ['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin'].forEach(function (name, at) {
    Object.defineProperty(URL.prototype, name, {
      get: function () {
        return this[PARTS][at];
      },
      set: name === 'origin' ? undefined : name === 'href' ? setHref : function (value) {
        change(this, name, value);
      },
      enumerable: true,
      configurable: true
    });
  });

  function setHref(value) {
    var parts = host.parseUrl(wellFormed(value), undefined);
    if (parts === null) {
      throw invalid(String(value));
    }
    this[PARTS] = parts;
    if (this[QUERY] !== null) {
      this[QUERY][PAIRS] = parseQuery(parts[8]);
    }
  }

  Object.defineProperty(URL.prototype, 'searchParams', {
    get: function () {
      if (this[QUERY] === null) {
        this[QUERY] = new URLSearchParams(this[PARTS][8]);
        hide(this[QUERY], OWNER, this);
      }
      return this[QUERY];
    },
    enumerable: true,
    configurable: true
  });
  URL.prototype.toString = function toString() {
    return this[PARTS][0];
  };
  URL.prototype.toJSON = function toJSON() {
    return this[PARTS][0];
  };
  URL.canParse = function canParse(input, base) {
    return host.parseUrl(wellFormed(input), base === undefined ? undefined : wellFormed(base)) !== null;
  };
  hide(URL.prototype, Symbol.toStringTag, 'URL');
  hide(URL.prototype, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
    var url = this;
    var shown = {};
    ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash'].forEach(function (name) {
      shown[name] = url[name];
    });
    return depth < 0 ? '[URL]' : 'URL ' + inspect(shown, options);
  });

  function plusDecoded(text) {
    var spaced = text.indexOf('+') < 0 ? text : text.replace(/\+/g, ' ');
    return spaced.indexOf('%') < 0 ? spaced : host.decodePercent(spaced);
  }

  function parseQuery(text) {
    var query = text.charAt(0) === '?' ? text.slice(1) : text;
    return query.split('&').filter(Boolean).map(function (pair) {
      var equals = pair.indexOf('=');
      return equals < 0
        ? [plusDecoded(pair), '']
        : [plusDecoded(pair.slice(0, equals)), plusDecoded(pair.slice(equals + 1))];
    });
  }

  function URLSearchParams(init) {
    needsNew(this, URLSearchParams, 'URLSearchParams');
    hide(this, PAIRS, init === undefined || init === null ? [] : pairsOf(init));
    hide(this, OWNER, null);
  }

  function pairsOf(init) {
    if (typeof init !== 'object' && typeof init !== 'function') {
      return parseQuery(wellFormed(init));
    }
    if (init instanceof URLSearchParams) {
      return init[PAIRS].map(function (pair) {
        return pair.slice();
      });
    }
    var iterator = init[Symbol.iterator];
    if (iterator !== undefined && iterator !== null) {
      return Array.from(init).map(pairOf);
    }
    return Reflect.ownKeys(init).filter(function (key) {
      return typeof key === 'string' && Object.prototype.propertyIsEnumerable.call(init, key);
    }).map(function (key) {
      return [wellFormed(key), wellFormed(init[key])];
    });
  }

  function pairOf(value) {
    var pair = value !== null && typeof value === 'object' ? Array.from(value) : [];
    if (pair.length !== 2) {
      var error = new TypeError('Each query pair must be an iterable [name, value] tuple');
      error.code = 'ERR_INVALID_TUPLE';
      throw error;
    }
    return pair.map(wellFormed);
  }

  function changed(params) {
    var owner = params[OWNER];
    if (owner) {
      var text = params.toString();
      owner[PARTS] = host.setUrl(owner[PARTS][0], 'search', text);
    }
  }

  function need(args, count) {
    if (args.length < count) {
      throw missing(count === 1 ? '"name" argument' : '"name" and "value" arguments');
    }
  }

  var proto = URLSearchParams.prototype;
  proto.append = function append(name, value) {
    need(arguments, 2);
    this[PAIRS].push([wellFormed(name), wellFormed(value)]);
    changed(this);
  };
  proto.delete = function (name, value) {
    need(arguments, 1);
    var key = wellFormed(name);
    this[PAIRS] = this[PAIRS].filter(function (pair) {
      return pair[0] !== key || value !== undefined && pair[1] !== String(value);
    });
    changed(this);
  };
  proto.get = function get(name) {
    need(arguments, 1);
    var key = wellFormed(name);
    var found = this[PAIRS].find(function (pair) {
      return pair[0] === key;
    });
    return found === undefined ? null : found[1];
  };
  proto.getAll = function getAll(name) {
    need(arguments, 1);
    var key = wellFormed(name);
    return this[PAIRS].filter(function (pair) {
      return pair[0] === key;
    }).map(function (pair) {
      return pair[1];
    });
  };
  proto.has = function has(name, value) {
    need(arguments, 1);
    var key = wellFormed(name);
    return this[PAIRS].some(function (pair) {
      return pair[0] === key && (value === undefined || pair[1] === String(value));
    });
  };
  proto.set = function set(name, value) {
    need(arguments, 2);
    var key = wellFormed(name);
    var text = wellFormed(value);
    var done = false;
    this[PAIRS] = this[PAIRS].filter(function (pair) {
      if (pair[0] !== key) {
        return true;
      }
      var first = !done;
      done = true;
      pair[1] = first ? text : pair[1];
      return first;
    });
    if (!done) {
      this[PAIRS].push([key, text]);
    }
    changed(this);
  };
  proto.sort = function sort() {
    this[PAIRS].sort(function (a, b) {
      return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
    });
    changed(this);
  };
  proto.toString = function toString() {
    return this[PAIRS].map(function (pair) {
      return host.encodeForm(pair[0]) + '=' + host.encodeForm(pair[1]);
    }).join('&');
  };
  proto.forEach = function forEach(callback, self) {
    for (var i = 0; i < this[PAIRS].length; i++) {
      callback.call(self, this[PAIRS][i][1], this[PAIRS][i][0], this);
    }
  };
  proto.keys = function keys() {
    return iterator(this, function (pair) {
      return pair[0];
    });
  };
  proto.values = function values() {
    return iterator(this, function (pair) {
      return pair[1];
    });
  };
  proto.entries = function entries() {
    return iterator(this, function (pair) {
      return pair.slice();
    });
  };
  hide(proto, Symbol.iterator, proto.entries);
  hide(proto, Symbol.toStringTag, 'URLSearchParams');
  Object.defineProperty(proto, 'size', {
    get: function () {
      return this[PAIRS].length;
    },
    enumerable: true,
    configurable: true
  });
  hide(proto, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
    if (depth < 0) {
      return '[Object]';
    }
    var shown = this[PAIRS].map(function (pair) {
      return inspect(pair[0], options) + ' => ' + inspect(pair[1], options);
    });
    return shown.length ? 'URLSearchParams { ' + shown.join(', ') + ' }' : 'URLSearchParams {}';
  });

  var iterators = Object.create(Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())));
  iterators.next = function next() {
    var state = this._state;
    if (state.at >= state.params[PAIRS].length) {
      return { value: undefined, done: true };
    }
    return { value: state.map(state.params[PAIRS][state.at++]), done: false };
  };
  hide(iterators, Symbol.iterator, function () {
    return this;
  });
  hide(iterators, Symbol.toStringTag, 'URLSearchParams Iterator');

  function iterator(params, map) {
    return Object.create(iterators, { _state: { value: { params: params, map: map, at: 0 } } });
  }

  // The old functions differ from the standard in what they take for a host: not offered.
  function absent(name) {
    return function () {
      throw new Error('url.' + name + ' is not available here: use new URL(...)');
    };
  }

  var made = { URL: URL, URLSearchParams: URLSearchParams };
  ['parse', 'resolve', 'resolveObject', 'fileURLToPath', 'pathToFileURL'].forEach(function (name) {
    made[name] = absent(name);
  });
  made.format = function format(url) {
    if (url instanceof URL) {
      return url.href;
    }
    return absent('format')();
  };
  made.domainToASCII = function domainToASCII(domain) {
    var parts = host.parseUrl('ws://' + wellFormed(domain), undefined);
    return parts === null ? '' : parts[5];
  };
  made.urlToHttpOptions = function urlToHttpOptions(url) {
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
  };
  return made;
})
