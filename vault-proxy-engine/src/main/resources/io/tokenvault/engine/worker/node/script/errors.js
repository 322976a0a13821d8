// The module vault-errors: errors that respond with a status of their own.
(function (host, load) {
  'use strict';
  var define = load('define');
  var hide = define.hide;
  var kinds = new WeakMap();
  var STATUS = {
    BadRequestError: 400,
    AuthenticationError: 401,
    AuthorizationError: 403,
    NotFoundError: 404,
    RateLimitError: 429
  };

  function text(value) {
    return value instanceof Error ? String(value.message) : typeof value === 'string' ? value : JSON.stringify(value) || String(value);
  }

  function list(value) {
    return (Array.isArray(value) ? value : [value]).map(text);
  }

  function isGroup(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Error);
  }

  function group(value) {
    if (value === undefined || value === null) {
      return {};
    }
    if (!isGroup(value)) {
      return { error: list(value) };
    }
    var errors = {};
    Object.keys(value).forEach(function (key) {
      errors[key] = list(value[key]);
    });
    return errors;
  }

  function message(errors) {
    return Object.keys(errors).map(function (key) {
      return errors[key].join(', ');
    }).join('; ');
  }

  function errorClass(name, status) {
    function Type(errors) {
      define.needsNew(this, Type, name);
      var said = group(errors);
      var error = fresh(this, message(said));
      error.status = status;
      error.errors = said;
      kinds.set(error, status);
      return error;
    }
    finish(Type, name);
    return Type;
  }

  function fresh(wanted, text) {
    var error = new Error(text);
    Object.setPrototypeOf(error, Object.getPrototypeOf(wanted));
    restack(error, text);
    return error;
  }

  function restack(error, text) {
    var frames = error.stack.indexOf('\n    at ');
    var header = error.name + (text === '' ? '' : ': ' + text);
    hide(error, 'stack', header + (frames < 0 ? '' : error.stack.slice(frames)));
  }

  // Makes an error that was made earlier one of ours.
  function turn(error, name, text) {
    hide(error, 'message', text);
    if (name !== undefined) {
      Object.setPrototypeOf(error, types[name].prototype);
      kinds.set(error, STATUS[name]);
    }
    restack(error, text);
  }

  function finish(Type, name) {
    Object.setPrototypeOf(Type, Error);
    Type.prototype = Object.create(Error.prototype);
    hide(Type.prototype, 'constructor', Type);
    hide(Type.prototype, 'name', name);
    Object.defineProperty(Type, 'name', { value: name, configurable: true });
    Object.defineProperty(Type, 'prototype', { writable: false });
  }

  function CustomHttpResponseError(response) {
    define.needsNew(this, CustomHttpResponseError, 'CustomHttpResponseError');
    var given = response === undefined || response === null ? {} : response;
    if (!isStatus(given.status, 200)) {
      throw new TypeError('CustomHttpResponseError needs a status, an integer from 200 to 599');
    }
    var error = fresh(this, 'Custom HTTP response');
    error.status = given.status;
    error.headers = given.headers;
    error.body = given.body;
    kinds.set(error, 0);
    return error;
  }
  finish(CustomHttpResponseError, 'CustomHttpResponseError');

  function isStatus(value, least) {
    return typeof value === 'number' && value % 1 === 0 && value >= least && value <= 599;
  }

  // For Java: [status, headers, body], [status, errors] or undefined.
  function describe(error) {
    var kind = kinds.get(error);
    if (kind === undefined) {
      return undefined;
    }
    if (kind === 0) {
      return [isStatus(error.status, 200) ? error.status : 500, error.headers, error.body];
    }
    return [isStatus(error.status, 400) ? error.status : kind, group(error.errors)];
  }

  var types = {};
  Object.keys(STATUS).forEach(function (name) {
    types[name] = errorClass(name, STATUS[name]);
  });
  types.CustomHttpResponseError = CustomHttpResponseError;
  var made = Object.assign({}, types);
  made.module = types;
  made.describe = describe;
  made.turn = turn;
  return made;
})
