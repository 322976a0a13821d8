// The modules http and https: what packages need while they load. The network is only behind fetch.
(function (host, load) {
  'use strict';
  var EventEmitter = load('events');

  function unavailable(name) {
    return load('define').unavailable(name, ': use fetch');
  }

  // A class that code may extend and test for, but of which nothing has an instance.
  function absent(name) {
    var type = unavailable(name);
    Object.setPrototypeOf(type.prototype, EventEmitter.prototype);
    return type;
  }

  function agent(protocol, port) {
    function Agent(options) {
      if (!(this instanceof Agent)) {
        return new Agent(options);
      }
      EventEmitter.call(this);
      this.options = Object.assign({ path: null }, options);
      this.protocol = protocol;
      this.defaultPort = port;
      this.keepAlive = this.options.keepAlive || false;
      this.maxSockets = this.options.maxSockets || Infinity;
      this.maxFreeSockets = this.options.maxFreeSockets || 256;
      this.requests = {};
      this.sockets = {};
      this.freeSockets = {};
    }
    Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
    Object.setPrototypeOf(Agent, EventEmitter);
    Agent.prototype.destroy = function destroy() {};
    Agent.prototype.createConnection = unavailable(protocol.slice(0, -1) + '.Agent.createConnection');
    return Agent;
  }

  function module(name, port) {
    var Agent = agent(name + ':', port);
    return {
      Agent: Agent,
      globalAgent: new Agent(),
      Server: absent(name + '.Server'),
      createServer: unavailable(name + '.createServer'),
      get: unavailable(name + '.get'),
      request: unavailable(name + '.request')
    };
  }

  var http = module('http', 80);
  ['ClientRequest', 'IncomingMessage', 'OutgoingMessage', 'ServerResponse'].forEach(function (name) {
    http[name] = absent('http.' + name);
  });
  http.maxHeaderSize = 16384;
  http.METHODS = ('ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS '
      + 'PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE').split(' ');
  http.STATUS_CODES = {
    100: 'Continue',
    101: 'Switching Protocols',
    102: 'Processing',
    103: 'Early Hints',
    200: 'OK',
    201: 'Created',
    202: 'Accepted',
    203: 'Non-Authoritative Information',
    204: 'No Content',
    205: 'Reset Content',
    206: 'Partial Content',
    207: 'Multi-Status',
    208: 'Already Reported',
    226: 'IM Used',
    300: 'Multiple Choices',
    301: 'Moved Permanently',
    302: 'Found',
    303: 'See Other',
    304: 'Not Modified',
    305: 'Use Proxy',
    307: 'Temporary Redirect',
    308: 'Permanent Redirect',
    400: 'Bad Request',
    401: 'Unauthorized',
    402: 'Payment Required',
    403: 'Forbidden',
    404: 'Not Found',
    405: 'Method Not Allowed',
    406: 'Not Acceptable',
    407: 'Proxy Authentication Required',
    408: 'Request Timeout',
    409: 'Conflict',
    410: 'Gone',
    411: 'Length Required',
    412: 'Precondition Failed',
    413: 'Payload Too Large',
    414: 'URI Too Long',
    415: 'Unsupported Media Type',
    416: 'Range Not Satisfiable',
    417: 'Expectation Failed',
    418: "I'm a Teapot",
    421: 'Misdirected Request',
    422: 'Unprocessable Entity',
    423: 'Locked',
    424: 'Failed Dependency',
    425: 'Too Early',
    426: 'Upgrade Required',
    428: 'Precondition Required',
    429: 'Too Many Requests',
    431: 'Request Header Fields Too Large',
    451: 'Unavailable For Legal Reasons',
    500: 'Internal Server Error',
    501: 'Not Implemented',
    502: 'Bad Gateway',
    503: 'Service Unavailable',
    504: 'Gateway Timeout',
    505: 'HTTP Version Not Supported',
    506: 'Variant Also Negotiates',
    507: 'Insufficient Storage',
    508: 'Loop Detected',
    509: 'Bandwidth Limit Exceeded',
    510: 'Not Extended',
    511: 'Network Authentication Required'
  };
  return { http: http, https: module('https', 443) };
})
