// fetch, Headers, Request and Response. The server sends the request, under the rules of the proxy.
(function (host, load) {
  'use strict';
  var define = load('define');
  var hide = define.hide;
  var getter = define.getter;
  var needsNew = define.needsNew;
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
      fill(this, init);
    }
  }

  function fill(headers, init) {
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

  // [an ArrayBuffer or null, the content type that goes with it or null]
  function extract(body) {
    if (body === undefined || body === null) {
      return [null, null];
    }
    if (body instanceof BodyStream) {
      if (body._locked || body._message._used) {
        throw new TypeError('Response body object should not be disturbed or locked');
      }
      return [unread(body), null];
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

  // The bytes of a message for code that reads them as a stream: all of them are one chunk.
  function BodyStream(message) {
    hide(this, '_message', message);
    hide(this, '_locked', false);
  }

  // Returns the bytes that were not read before, as an ArrayBuffer.
  function unread(stream) {
    var message = stream._message;
    var bytes = message._used ? new ArrayBuffer(0) : message._bytes;
    message._used = true;
    return bytes;
  }

  // Returns whether a body was read, or is reserved for a reader.
  function isDisturbed(message) {
    return message._used || (message._body instanceof BodyStream && message._body._locked);
  }

  function nextChunk(stream) {
    var bytes = unread(stream);
    var done = bytes.byteLength === 0;
    return Promise.resolve({ value: done ? undefined : new Uint8Array(bytes), done: done });
  }

  getter(BodyStream, 'locked', function () {
    return this._locked;
  });
  BodyStream.prototype.cancel = function cancel() {
    unread(this);
    return Promise.resolve();
  };
  BodyStream.prototype.getReader = function getReader() {
    var stream = this;
    if (stream._locked) {
      throw new TypeError('Invalid state: ReadableStream is locked');
    }
    stream._locked = true;
    return {
      read: function () {
        return nextChunk(stream);
      },
      cancel: function () {
        return stream.cancel();
      },
      releaseLock: function () {
        stream._locked = false;
      }
    };
  };
  hide(BodyStream.prototype, Symbol.toStringTag, 'ReadableStream');
  hide(BodyStream.prototype, Symbol.asyncIterator, function () {
    var stream = this;
    return {
      next: function () {
        return nextChunk(stream);
      },
      return: function (value) {
        unread(stream);
        return Promise.resolve({ value: value, done: true });
      }
    };
  });

  function mixin(Type, name) {
    getter(Type, 'body', function () {
      if (this._bytes === undefined) {
        throw new TypeError('Illegal invocation');
      }
      if (this._body === undefined) {
        hide(this, '_body', this._bytes === null ? null : new BodyStream(this));
      }
      return this._body;
    });
    getter(Type, 'bodyUsed', function () {
      return this._used;
    });
    Type.prototype.arrayBuffer = function arrayBuffer() {
      return take(this, function (bytes) {
        return bytes;
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
      message._used = message._bytes !== null;
      resolve(map(message._bytes === null ? new ArrayBuffer(0) : message._bytes));
    });
  }

  function Response(body, init) {
    needsNew(this, Response, 'Response');
    var given = Object(init);
    var status = given.status === undefined ? 200 : Number(given.status);
    if (!(status >= 200 && status <= 599)) {
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    }
    create(this, extract(body), given.headers, status, given.statusText === undefined ? '' : String(given.statusText), '');
  }

  function create(response, content, headers, status, statusText, url) {
    hide(response, '_bytes', content[0]);
    hide(response, '_used', false);
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
    return create(copy, [this._bytes, null], this._headers, this._status, this._statusText, this._url);
  };
  Response.json = function json(data, init) {
    var made = new Response(JSON.stringify(data), init);
    if (!init || !new Headers(init.headers).has('content-type')) {
      made._headers.set('content-type', 'application/json');
    }
    return made;
  };
  mixin(Response, 'Response');

  function Request(input, init) {
    needsNew(this, Request, 'Request');
    var from = input instanceof Request ? input : null;
    var given = Object(init);
    hide(this, '_url', from ? from._url : address(input));
    hide(this, '_method', method(given.method === undefined ? from ? from._method : 'GET' : given.method));
    hide(this, '_signal', given.signal === undefined ? from && from._signal : given.signal);
    var content = given.body === undefined || given.body === null ? [from ? from._bytes : null, null] : extract(given.body);
    if (content[0] !== null && /^(GET|HEAD)$/.test(this._method)) {
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    }
    hide(this, '_bytes', content[0]);
    hide(this, '_used', false);
    hide(this, '_headers', new Headers(given.headers === undefined ? from ? from._headers : undefined : given.headers));
    if (content[1] !== null && !this._headers.has('content-type')) {
      this._headers.set('content-type', content[1]);
    }
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

  ['headers', 'method', 'signal', 'url'].forEach(function (name) {
    getter(Request, name, function () {
      return this['_' + name];
    });
  });
  Request.prototype.clone = function clone() {
    if (isDisturbed(this)) {
      throw new TypeError('Request.clone: Body has already been consumed.');
    }
    return new Request(this);
  };
  mixin(Request, 'Request');

  function message(request) {
    var call = { url: request._url.replace(/#.*$/, ''), method: request._method, headers: sorted(request._headers) };
    if (request._bytes !== null) {
      call.body = host.base64(request._bytes);
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
      host.call('fetch', message(request), function (ok, json) {
        if (ok) {
          resolve(responseOf(request, json));
        } else {
          reject(failure(json, place));
        }
      });
    });
  }

  return { fetch: fetch, Headers: Headers, Request: Request, Response: Response };
})
