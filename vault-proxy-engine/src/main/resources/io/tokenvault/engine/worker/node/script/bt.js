// The object bt: the vault, under the rights of the proxy's application.
(function (host, load) {
  'use strict';
  var TYPES = {
    400: 'BadRequestError',
    401: 'AuthenticationError',
    403: 'AuthorizationError',
    404: 'NotFoundError',
    429: 'RateLimitError'
  };

  function snake(name) {
    return name.replace(/[A-Z]/g, function (letter) {
      return '_' + letter.toLowerCase();
    });
  }

  function camel(name) {
    return name.replace(/_([a-z0-9])/g, function (all, letter) {
      return letter.toUpperCase();
    });
  }

  function isObject(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  }

  // The fields of a request; what is inside them is the caller's own.
  function fields(value) {
    if (!isObject(value)) {
      return value;
    }
    var made = {};
    Object.keys(value).forEach(function (name) {
      put(made, snake(name), value[name]);
    });
    return made;
  }

  function put(object, name, value) {
    Object.defineProperty(object, name, { value: value, writable: true, enumerable: true, configurable: true });
  }

  function tokens(value) {
    if (Array.isArray(value)) {
      return value.map(tokens);
    }
    if (!isObject(value) || typeof value.toJSON === 'function') {
      return value;
    }
    var own = Object.prototype.hasOwnProperty;
    if (own.call(value, 'type') && own.call(value, 'data')) {
      return fields(value);
    }
    var made = {};
    Object.keys(value).forEach(function (name) {
      put(made, name, tokens(value[name]));
    });
    return made;
  }

  // Lets camelCase names read and write what is there in snake_case.
  function withCamelCase(value) {
    if (!isObject(value)) {
      return value;
    }
    Object.keys(value).forEach(function (name) {
      var other = camel(name);
      if (other !== name && !(other in value)) {
        Object.defineProperty(value, other, {
          get: function () {
            return this[name];
          },
          set: function (changed) {
            this[name] = changed;
          },
          configurable: true
        });
      }
    });
    return value;
  }

  function listed(result) {
    if (Array.isArray(result)) {
      return result.map(withCamelCase);
    }
    if (isObject(result)) {
      withCamelCase(result.pagination);
      if (Array.isArray(result.data)) {
        result.data.forEach(withCamelCase);
      }
    }
    return withCamelCase(result);
  }

  function tokenized(value) {
    if (Array.isArray(value)) {
      value.forEach(tokenized);
    } else if (isObject(value)) {
      if (typeof value.id === 'string' && typeof value.type === 'string') {
        return withCamelCase(value);
      }
      Object.keys(value).forEach(function (name) {
        tokenized(value[name]);
      });
    }
    return value;
  }

  function same(value) {
    return value;
  }

  function failure(json, place) {
    var reply = JSON.parse(json);
    var text = reply.detail || reply.title || 'the vault refused';
    var errors = isObject(reply.errors) && Object.keys(reply.errors).length ? reply.errors : { error: [text] };
    load('errors').turn(place, TYPES[reply.status], text);
    place.status = reply.status;
    place.errors = errors;
    place.data = reply;
    return place;
  }

  function text(value) {
    if (typeof value !== 'string' || value === '') {
      throw new TypeError('the id of a token must be a text');
    }
    return value;
  }

  function call(operation, args, result) {
    return new Promise(function (resolve, reject) {
      // Made here, since the response comes where no line of the caller's is running.
      var place = new Error('');
      var json = JSON.stringify(args());
      host.call(operation, json, function (ok, reply) {
        if (!ok) {
          reject(failure(reply, place));
        } else {
          resolve(reply === '' ? undefined : result(JSON.parse(reply)));
        }
      });
    });
  }

  function optional(value) {
    return value === undefined || value === null ? {} : fields(value);
  }

  return {
    client: {
      tokens: {
        create: function create(token) {
          return call('bt.tokens.create', function () {
            return [fields(token)];
          }, withCamelCase);
        },
        retrieve: function retrieve(id) {
          return call('bt.tokens.retrieve', function () {
            return [text(id)];
          }, withCamelCase);
        },
        update: function update(id, changes) {
          return call('bt.tokens.update', function () {
            return [text(id), fields(changes)];
          }, withCamelCase);
        },
        delete: function (id) {
          return call('bt.tokens.delete', function () {
            return [text(id)];
          }, function () {
            return undefined;
          });
        },
        list: function list(query) {
          return call('bt.tokens.list', function () {
            return [optional(query)];
          }, listed);
        }
      },
      permissions: {
        list: function list() {
          return call('bt.permissions.list', function () {
            return [];
          }, listed);
        }
      },
      tokenize: function tokenize(value) {
        return call('bt.tokenize', function () {
          return [tokens(value)];
        }, tokenized);
      },
      detokenize: function detokenize(value) {
        return call('bt.detokenize', function () {
          return [value];
        }, same);
      }
    }
  };
})
