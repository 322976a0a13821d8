// fetch, Headers, Request and Response. The server sends the request, under the rules of the proxy.
(function (host, load) {
  'use strict';
  var define = load('define');
  var hide = define.hide;
  var getter = define.getter;
  var needsNew = define.needsNew;
  var DISTURBED = Symbol.for('nodejs.stream.disturbed');
  var NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
  var REASONS = {
    200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content', 301: 'Moved Permanently',
    302: 'Found', 303: 'See Other', 304: 'Not Modified', 307: 'Temporary Redirect',
    308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required',
    403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable',
    408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 412: 'Precondition Failed',
    413: 'Payload Too Large', 415: 'Unsupported Media Type', 422: 'Unprocessable Entity',
    429: 'Too Many Requests', 500: 'Internal Server Error', 501: 'Not Implemented',
    502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout'
  };

  function wellFormed(value) {
    var text = String(value);
    return /[\ud800-\udfff]/.test(text) ? text.toWellFormed() : text;
  }

  function key(name, method) {
    var text = String(name);
    if (!NAME.test(text)) {
      throw new TypeError('Headers.' + method + ': ' + text + ' is an invalid header name.');
    }
    return text.toLowerCase();
  }

  function normal(value, method) {
    var text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
    if (/[\0\n\r]|[^\0-\xff]/.test(text)) {
      throw new TypeError('Headers.' + method + ': the value of a header is invalid.');
    }
    return text;
  }

  function Headers(init) {
    needsNew(this, Headers, 'Headers');
    hide(this, '_list', []);
    if (init !== undefined && init !== null) {
      addAll(this, init);
    }
  }

  function addAll(headers, init) {
    if (typeof init !== 'object') {
      throw new TypeError("Headers constructor: init is neither an object nor a list of pairs");
    }
    if (init[Symbol.iterator]) {
      Array.from(init).forEach(function (pair) {
        var entry = Array.from(pair);
        if (entry.length !== 2) {
          throw new TypeError('Headers constructor: expected name/value pair to be length 2, found ' + entry.length + '.');
        }
        headers.append(entry[0], entry[1]);
      });
    } else {
      Object.keys(init).forEach(function (name) {
        headers.append(name, init[name]);
      });
    }
  }

  Headers.prototype.append = function append(name, value) {
    this._list.push([key(name, 'append'), normal(value, 'append')]);
  };
  Headers.prototype.set = function set(name, value) {
    var wanted = key(name, 'set');
    var text = normal(value, 'set');
    this.delete(wanted);
    this._list.push([wanted, text]);
  };
  Headers.prototype.delete = function (name) {
    var wanted = key(name, 'delete');
    this._list = this._list.filter(function (entry) {
      return entry[0] !== wanted;
    });
  };
  Headers.prototype.get = function get(name) {
    var values = valuesOf(this, key(name, 'get'));
    return values.length ? values.join(', ') : null;
  };
  Headers.prototype.has = function has(name) {
    return valuesOf(this, key(name, 'has')).length > 0;
  };
  Headers.prototype.getSetCookie = function getSetCookie() {
    return valuesOf(this, 'set-cookie');
  };
  Headers.prototype.forEach = function forEach(callback, self) {
    var headers = this;
    sorted(headers).forEach(function (entry) {
      callback.call(self, entry[1], entry[0], headers);
    });
  };
  Headers.prototype.entries = function entries() {
    return sorted(this)[Symbol.iterator]();
  };
  Headers.prototype.keys = function keys() {
    return sorted(this).map(function (entry) {
      return entry[0];
    })[Symbol.iterator]();
  };
  Headers.prototype.values = function values() {
    return sorted(this).map(function (entry) {
      return entry[1];
    })[Symbol.iterator]();
  };
  hide(Headers.prototype, Symbol.iterator, Headers.prototype.entries);
  hide(Headers.prototype, Symbol.toStringTag, 'Headers');
  hide(Headers.prototype, Symbol.for('nodejs.util.inspect.custom'), function (depth, options, inspect) {
    return 'Headers ' + inspect(Object.fromEntries(sorted(this)), options);
  });

  function valuesOf(headers, name) {
    return headers._list.filter(function (entry) {
      return entry[0] === name;
    }).map(function (entry) {
      return entry[1];
    });
  }

  function sorted(headers) {
    var names = Array.from(new Set(headers._list.map(function (entry) {
      return entry[0];
    }))).sort();
    var entries = [];
    names.forEach(function (name) {
      var values = valuesOf(headers, name);
      (name === 'set-cookie' ? values : [values.join(', ')]).forEach(function (value) {
        entries.push([name, value]);
      });
    });
    return entries;
  }

  // [an ArrayBuffer, a stream or null, the content type that goes with it or null]
  function extract(body) {
    if (body === undefined || body === null) {
      return [null, null];
    }
    if (typeof body === 'object' && typeof body[Symbol.asyncIterator] === 'function') {
      return [streamOf(body), null];
    }
    var copy = typeof body === 'object' ? host.copy(body) : null;
    if (copy !== null) {
      return [copy, null];
    }
    var form = typeof body === 'object' && body instanceof load('url').URLSearchParams;
    var content = typeof body === 'object' && !form ? load('form').content(body) : null;
    if (content !== null) {
      return content;
    }
    var type = form ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8';
    return [host.utf8(wellFormed(body)), type];
  }

  function streamOf(body) {
    var ReadableStream = load('stream-web').ReadableStream;
    var stream = body instanceof ReadableStream ? body : ReadableStream.from(body);
    if (stream[DISTURBED] || stream.locked) {
      throw new TypeError('Response body object should not be disturbed or locked');
    }
    return stream;
  }

  // Sets the content of a message: its bytes, or a stream.
  function fill(message, content) {
    var isStream = content !== null && host.kind(content) !== 'ArrayBuffer';
    hide(message, '_bytes', isStream ? null : content);
    hide(message, '_body', isStream || content === null ? content : undefined);
    hide(message, '_used', false);
  }

  // Returns whether a body was read, or is reserved for a reader.
  function isDisturbed(message) {
    return message._used || Boolean(message._body) && (message._body.locked || message._body[DISTURBED]);
  }

  // Returns the content of a copy of a message.
  function cloned(message) {
    if (message._bytes !== null || message._body === null) {
      return message._bytes;
    }
    var branches = message._body.tee();
    message._body = branches[0];
    return branches[1];
  }

  function mixin(Type, name) {
    getter(Type, 'body', function () {
      var message = this;
      if (message._bytes === undefined) {
        throw new TypeError('Illegal invocation');
      }
      if (message._body === undefined) {
        // What was read without the stream is not in it.
        message._body = load('stream-web').ofBytes(function () {
          var bytes = message._used ? new ArrayBuffer(0) : host.copy(message._bytes);
          message._used = true;
          return bytes;
        });
      }
      return message._body;
    });
    getter(Type, 'bodyUsed', function () {
      return this._used || Boolean(this._body && this._body[DISTURBED]);
    });
    Type.prototype.arrayBuffer = function arrayBuffer() {
      return take(this, function (bytes) {
        return host.copy(bytes);
      });
    };
    Type.prototype.blob = function blob() {
      var type = this._headers.get('content-type');
      return take(this, function (bytes) {
        return new (load('form').Blob)([bytes], { type: type === null ? '' : type });
      });
    };
    Type.prototype.text = function text() {
      return take(this, textOf);
    };
    Type.prototype.json = function json() {
      return take(this, function (bytes) {
        return JSON.parse(textOf(bytes));
      });
    };
    hide(Type.prototype, Symbol.toStringTag, name);
  }

  function textOf(bytes) {
    var text = host.decode(bytes);
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  function take(message, map) {
    return new Promise(function (resolve) {
      if (isDisturbed(message)) {
        throw new TypeError('Body is unusable');
      }
      if (message._bytes === null && message._body) {
        resolve(read(message._body, map));
        return;
      }
      message._used = message._bytes !== null;
      resolve(map(message._used ? message._bytes : new ArrayBuffer(0)));
    });
  }

  // Reads a stream and returns a promise of the result of "map", which is passed an ArrayBuffer.
  function read(stream, map) {
    return load('stream-web').collected(stream, true).then(function (content) {
      var bytes = host.copy(content);
      if (bytes === null) {
        throw new TypeError('The body has no bytes');
      }
      return map(bytes);
    });
  }

  function Response(body, init) {
    needsNew(this, Response, 'Response');
    var given = Object(init);
    var status = given.status === undefined ? 200 : Number(given.status);
    if (!(status >= 200 && status <= 599)) {
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    if (body !== undefined && body !== null && (status === 204 || status === 205 || status === 304)) {
      throw new TypeError('Response constructor: Invalid response status code ' + status);
    }
    create(this, extract(body), given.headers, status, given.statusText === undefined ? '' : String(given.statusText), '');
  }

  function create(response, content, headers, status, statusText, url) {
    fill(response, content[0]);
    hide(response, '_headers', new Headers(headers));
    hide(response, '_status', status);
    hide(response, '_statusText', statusText);
    hide(response, '_url', url);
    if (content[1] !== null && !response._headers.has('content-type')) {
      response._headers.set('content-type', content[1]);
    }
    return response;
  }

  ['headers', 'status', 'statusText', 'url'].forEach(function (name) {
    getter(Response, name, function () {
      return this['_' + name];
    });
  });
  getter(Response, 'ok', function () {
    return this._status >= 200 && this._status <= 299;
  });
  getter(Response, 'type', function () {
    return this._url === '' ? 'default' : 'basic';
  });
  getter(Response, 'redirected', function () {
    return false;
  });
  Response.prototype.clone = function clone() {
    if (isDisturbed(this)) {
      throw new TypeError('Response.clone: Body has already been consumed.');
    }
    var copy = Object.create(Response.prototype);
    return create(copy, [cloned(this), null], this._headers, this._status, this._statusText, this._url);
  };
  Response.json = function json(data, init) {
    var made = new Response(JSON.stringify(data), init);
    if (!init || !new Headers(init.headers).has('content-type')) {
      made._headers.set('content-type', 'application/json');
    }
    return made;
  };
  mixin(Response, 'Response');

  // What requests tell, and nothing here depends on.
  var SETTINGS = {
    cache: 'default', credentials: 'same-origin', destination: '', integrity: '', keepalive: false,
    mode: 'cors', redirect: 'follow', referrer: 'about:client', referrerPolicy: ''
  };

  function Request(input, init) {
    needsNew(this, Request, 'Request');
    var from = input instanceof Request ? input : null;
    var given = Object(init);
    hide(this, '_url', from ? from._url : address(input));
    hide(this, '_method', method(given.method === undefined ? from ? from._method : 'GET' : given.method));
    hide(this, '_signal', given.signal === undefined ? from && from._signal : given.signal);
    hide(this, '_from', from);
    hide(this, '_given', given);
    var own = given.body !== undefined && given.body !== null;
    var content = own ? extract(given.body) : [from ? taken(from) : null, null];
    if (content[0] !== null && /^(GET|HEAD)$/.test(this._method)) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    if (own && given.duplex === undefined && host.kind(content[0]) !== 'ArrayBuffer') {
      throw new TypeError('RequestInit: duplex option is required when sending a body.');
    }
    fill(this, content[0]);
    hide(this, '_headers', new Headers(given.headers === undefined ? from ? from._headers : undefined : given.headers));
    if (content[1] !== null && !this._headers.has('content-type')) {
      this._headers.set('content-type', content[1]);
    }
  }

  // Returns the content of a request that another one is made of, which cannot be read afterwards.
  function taken(request) {
    if (isDisturbed(request)) {
      throw new TypeError('Cannot construct a Request with a Request object that has already been used.');
    }
    var content = cloned(request);
    request._used = content !== null;
    return content;
  }

  function address(input) {
    var text = String(input);
    var URL = load('url').URL;
    if (!URL.canParse(text)) {
      throw new TypeError('Failed to parse URL from ' + text);
    }
    var url = new URL(text);
    if (url.username !== '' || url.password !== '') {
      throw new TypeError('Request cannot be constructed from a URL that includes credentials');
    }
    return url.href;
  }

  function method(name) {
    var text = String(name);
    if (!NAME.test(text) || /^(connect|trace|track)$/i.test(text)) {
      throw new TypeError("'" + text + "' is not a valid HTTP method.");
    }
    return /^(delete|get|head|options|post|put)$/i.test(text) ? text.toUpperCase() : text;
  }

  ['headers', 'method', 'url'].forEach(function (name) {
    getter(Request, name, function () {
      return this['_' + name];
    });
  });
  getter(Request, 'signal', function () {
    this._signal = this._signal || new (load('abort').AbortController)().signal;
    return this._signal;
  });
  Object.keys(SETTINGS).forEach(function (name) {
    getter(Request, name, function () {
      var given = this._given[name];
      return given !== undefined ? given : this._from ? this._from[name] : SETTINGS[name];
    });
  });
  Request.prototype.clone = function clone() {
    if (isDisturbed(this)) {
      throw new TypeError('Request.clone: Body has already been consumed.');
    }
    var content = cloned(this);
    var copy = new Request(this._url, { method: this._method, headers: this._headers, signal: this._signal });
    copy._from = this;
    fill(copy, content);
    return copy;
  };
  getter(Request, 'duplex', function () {
    return 'half';
  });
  mixin(Request, 'Request');

  function message(request, bytes) {
    var call = { url: request._url.replace(/#.*$/, ''), method: request._method, headers: sorted(request._headers) };
    if (request._body !== null) {
      call.body = host.base64(bytes);
    }
    return JSON.stringify(call);
  }

  function responseOf(request, json) {
    var reply = JSON.parse(json);
    var empty = reply.body === undefined || reply.body === null;
    var content = [empty ? null : host.unbase64(reply.body), null];
    var response = Object.create(Response.prototype);
    var reason = reply.statusText === undefined ? REASONS[reply.status] || '' : reply.statusText;
    create(response, content, undefined, reply.status, reason, reply.url);
    response._headers._list = reply.headers.map(function (pair) {
      return [String(pair[0]).toLowerCase(), String(pair[1])];
    });
    return response;
  }

  function failure(json, place) {
    var reply = JSON.parse(json);
    var cause = new Error(reply.detail || reply.title || 'the request was not sent');
    cause.status = reply.status;
    cause.detail = reply.detail;
    cause.errors = reply.errors;
    hide(place, 'cause', cause);
    return place;
  }

  function fetch(input, init) {
    return new Promise(function (resolve, reject) {
      var request = new Request(input, init);
      var signal = request._signal;
      if (signal && signal.aborted) {
        throw signal.reason;
      }
      if (!/^https?:/.test(request._url)) {
        throw new TypeError('fetch failed', { cause: new Error('unknown scheme') });
      }
      // Made here, since the response comes where no line of the caller's is running.
      var place = new TypeError('fetch failed');
      if (signal) {
        signal.addEventListener('abort', function () {
          reject(signal.reason);
        });
      }
      function send(bytes) {
        host.call('fetch', message(request, bytes), function (ok, json) {
          if (ok) {
            resolve(responseOf(request, json));
          } else {
            reject(failure(json, place));
          }
        });
      }
      if (request._body) {
        read(request._body, send).catch(function (error) {
          hide(place, 'cause', error);
          reject(place);
        });
      } else {
        send(request._bytes);
      }
    });
  }

  return { fetch: fetch, Headers: Headers, Request: Request, Response: Response };
})
