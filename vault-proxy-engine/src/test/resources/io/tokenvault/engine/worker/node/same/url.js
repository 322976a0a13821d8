var results = {};
function check(name, run) {
  name = name.replace(/[\ud800-\udfff]/g, '(half)'); // some readers of JSON take no such name
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}

function parts(text, base) {
  var u = base === undefined ? new URL(text) : new URL(text, base);
  return [u.href, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin].join(' | ');
}
[
  'https://example.com', 'HTTPS://EXAMPLE.com:443/', 'http://user:pass@host:8080/p/a/t/h?query=string#hash',
  'http://a b', 'http://[::1]:3000/', 'http://[2001:db8:0:0:1:0:0:1]/', 'http://[::ffff:1.2.3.4]/', 'http://[1::2::3]/', 'http://[::1', 'http://[:::]',
  'http://192.168.0.1', 'http://0x7f.1', 'http://017700000001', 'http://256.256.256.256', 'http://1.2.3.4.5', 'http://1.2.3.', 'http://foo.0x', 'http://4294967296',
  'http://example.com/a b?c d#e f', 'http://example.com/%7Efoo/../bar', 'http://example.com/a/%2e%2E/b', 'http://example.com/./a/./', 'http://example.com/a/..', 'http://example.com//a//b',
  'http://ex%41mple.com', 'http://münchen.de/straße?ü=ö#ä', 'http://例え.テスト', 'http://xn--mnchen-3ya.de',
  'mailto:a@b.c', 'data:text/plain,hello world', 'javascript:alert(1)', 'file:///etc/passwd', 'file:c:\\foo\\bar', 'file://localhost/x', 'foo://bar/baz?x#y', 'foo:///a', 'foo:/a/../b', 'foo:bar', 'foo://HOST:80/',
  'http:example.com', 'http:/example.com', 'http:\\\\example.com\\a\\b', '  https://example.com/\t\n ', 'ht\ntp://ex\tample.com',
  '', 'foo', '//x', 'http://', 'https://:80', 'http://a:b@', 'http://@host', 'http://a@b@c/', 'http://u:p:q@h/', 'http://h:99999', 'http://h:00080/', 'http://h:/', 'http://h:8a/', 'http://h:443/', 'https://h:80/',
  'http://a%00b', 'http://a%zzb', 'http://a_b.c', 'http://-a-', 'http://a..b', 'http://a.b.', 'http://%20', 'http://a<b', "http://h/'\"`<>{}|\\^", "http://h/?'\"`<>{}|\\^", "http://h/#'\"`<>{}|\\^", "foo://h/?'",
  'http://h/😀?😀#😀', 'http://h/\ud800', 'ws://h:80/', 'wss://h:443/', 'ftp://h:21/', 'about:blank', 'blob:https://a.com/x', 'http://h?a=b?c#d#e', 'http://h#?', 'http://h?#', 'http://h/?'
].forEach(function (text) {
  check('parse ' + text, function () {
    return parts(text);
  });
});
[
  ['/x', 'http://a/b/c?d#e'], ['x', 'http://a/b/c?d#e'], ['../x', 'http://a/b/c/d'], ['../../../x', 'http://a/b/c'], ['?x', 'http://a/b/c?d#e'], ['#x', 'http://a/b/c?d#e'], ['', 'http://a/b/c?d#e'], ['//h/x', 'https://a/b'],
  ['http:x', 'http://a/b/c'], ['https:x', 'http://a/b/c'], ['http:/x', 'http://a/b/c'], ['\\x', 'http://a/b'], ['.', 'http://a/b/c'], ['..', 'http://a/b/c/'], ['x', 'mailto:a'], ['#x', 'mailto:a'], ['x', 'bad'], ['/x', 'file:///c:/a/b'], ['x', 'file:///a/b'], ['x/y:z', 'http://a'], ['x:y', 'http://a'], ['?', 'http://a/b?c'], ['/..//x', 'foo://h/a'], ['//x', 'foo:/a']
].forEach(function (pair) {
  check('resolve ' + pair.join(' on '), function () {
    return parts(pair[0], pair[1]);
  });
});
[
  ['protocol', 'http'], ['protocol', 'ftp:x'], ['protocol', 'foo'], ['protocol', '1'], ['username', 'a:b@'], ['password', 'p w'], ['host', 'h2:99'], ['host', 'h2'], ['host', 'x:y'], ['host', ''], ['host', 'a b'], ['host', 'h3/path'], ['hostname', 'h2:99'], ['hostname', 'h2'],
  ['port', '81'], ['port', '443'], ['port', ''], ['port', 'x'], ['port', '8x'], ['port', '99999'], ['pathname', 'a b/../c'], ['pathname', '/x?y#z'], ['pathname', ''], ['search', 'a=b c'], ['search', '?'], ['search', ''], ['search', '?a#b'], ['hash', 'x y'], ['hash', '#'], ['hash', ''], ['href', 'http://other/'], ['href', 'bad']
].forEach(function (set) {
  check('set ' + set.join(' to '), function () {
    var u = new URL('https://user:pw@example.com:8080/a/b?x=y#z');
    u[set[0]] = set[1];
    return u.href;
  });
});
check('set on mailto', function () {
  var u = new URL('mailto:a@b');
  u.host = 'x';
  u.pathname = 'y';
  u.search = 'z';
  u.port = '1';
  u.username = 'u';
  return u.href;
});
check('origin is read only', function () {
  var u = new URL('http://a/');
  u.origin = 'x';
  return u.origin;
});
check('without new', function () {
  return URL('http://a');
});
check('without arguments', function () {
  return new URL();
});
check('of a URL', function () {
  return new URL(new URL('http://a/b')).href;
});
check('as JSON and text', function () {
  return JSON.stringify({ u: new URL('http://a') }) + new URL('http://b') + Object.prototype.toString.call(new URL('http://c'));
});
check('invalid', function () {
  try {
    new URL('nope', 'alsono');
  } catch (e) {
    return [e instanceof TypeError, e.code, e.input, e.message];
  }
});
check('searchParams are live', function () {
  var u = new URL('http://a/?x=1&y=2');
  var p = u.searchParams;
  p.append('z', 'a b&c');
  p.set('x', '9');
  p.delete('y');
  var first = u.href;
  u.search = '?q=1';
  return [first, p.toString(), p === u.searchParams, u.searchParams.get('q')];
});
check('searchParams empty', function () {
  var u = new URL('http://a/?x=1');
  u.searchParams.delete('x');
  return u.href;
});
var inits = {
  text: '?a=1&a=2&b=%20x+y&c&=d&%zz=%', pairs: [['a', '1'], ['b', 2]], object: { a: 1, b: [1, 2], c: null }, params: new URLSearchParams('x=y'), map: new Map([['k', 'v']]), number: 5, nothing: undefined, unicode: 'ä=ö&%F0%9F%98%80=%ff'
};
Object.keys(inits).forEach(function (name) {
  check('params of ' + name, function () {
    var p = new URLSearchParams(inits[name]);
    return [p.toString(), Array.from(p), p.get('a'), p.getAll('a'), p.has('b')];
  });
});
check('params of bad pairs', function () {
  return new URLSearchParams([['a']]);
});
check('params without new', function () {
  return URLSearchParams('a');
});
check('params in order', function () {
  var p = new URLSearchParams('c=1&a=2&b=3&a=1');
  p.sort();
  var seen = [];
  p.forEach(function (value, name, all) {
    seen.push(name + value + (all === p));
  });
  return [p.toString(), seen, Array.from(p.keys()), Array.from(p.values()), Array.from(p.entries()), p.size];
});
check('params encode', function () {
  return new URLSearchParams({ k: "a b+c&d=e/f?g:h;i@j!k'l(m)n*o~p-q_r.s%t\"u<v>w" }).toString();
});
check('params need names', function () {
  return new URLSearchParams('a').get();
});
check('params need values', function () {
  return new URLSearchParams('a').append('x');
});
check('iterator', function () {
  var i = new URLSearchParams('a=1').entries();
  return [typeof i.next, i[Symbol.iterator]() === i, Object.prototype.toString.call(i), i.next(), i.next()];
});
check('module', function () {
  var url = require('url');
  return [url.URL === URL, url.URLSearchParams === URLSearchParams, require('node:url') === url, url.format(new URL('http://a')), url.domainToASCII('MÜNCHEN.de')];
});
var olds = ['http://u:p%40@Host.com:8080/p/a?q=1#h', '/a?b=1&c=2', '//x/y?z', 'mailto:a@b.c', 'http://a@b@c/', 'http://a@b?@c', 'http://x.com:abc/', 'http://[::1]:80', '  a b\\c?"<>  ', '', 'javascript:a?b', 'http://a.com"b', 'http://m\u00fcnchen.de', 'http://fa\u00df.de', 'file:///x', 'foo://bar/x', 'x:y', 'http://a.com?x', 'http://a%b', 'HTTP:b', '\ufeff a  b\t', 'http://u@a.b:80#x'];
check('parse', function () {
  var parse = require('url').parse;
  return olds.map(text => [JSON.stringify(parse(text)), JSON.stringify(parse(text, true, true))].join(' ')).join('\n');
});
check('parse nothing', () => require('url').parse());
check('parse an invalid host', () => require('url').parse('http://[a/'));
check('format', function () {
  var format = require('url').format;
  return olds.concat({ protocol: 'https', hostname: 'a.b', port: 1, pathname: 'c?', query: { d: [1, 2] }, hash: 'e' }, { host: '[::1]', search: 'a#' }, { auth: 'u:p@', hostname: '::1', slashes: true }, { pathname: 1 }, { protocol: 'fileX', pathname: '/a' }, { protocol: 'file', pathname: '/a' }).map(value => format(value)).join(' | ');
});
check('format nothing', () => require('url').format(5));
check('resolve', function () {
  return [['/one/two', 'three'], ['http://a.com/b/c', '../e?x#y'], ['a/b', 'c'], ['http://a.com/b?c', '#d'], ['http://u:p@a.com/b', '//c.com'], ['/a', 'http://x/y'],
    ['/login', '//cdn.com/x'], ['//cdn.com/a/b.js', 'c.js'], ['', '//h'], ['/a', '//'], ['//H:80/a', '?q'], ['//u:p@h/a', 'b#c'], ['/a', '\\\\h\\x'], ['////h/a', 'b'], ['/a', '/..//x'], ['', ' a b '], ['/a', 'mailto:a@b'], ['//h', '#f']].map(pair => require('url').resolve(pair[0], pair[1])).join(' | ');
});
['http://u:p@xn--u@xn--mnchen-3ya.de:8/a?b#c', 'foo:xn--a', 'http://[::1]/?#'].forEach(text => check('format with options ' + text, function () {
  return [{}, { unicode: 1 }, { auth: false, search: 0, unicode: true }, { fragment: '', search: null }].map(options => require('url').format(new URL(text), options));
}));
check('format with bad options', () => require('url').format(new URL('http://a'), [1]));
[[undefined, 'x'], ['a', new URL('http://x')], ['a'], [require('url').parse('http://a/b'), 'c']].forEach((pair, i) => check('resolve takes ' + i, () => require('url').resolve(pair[0], pair[1])));
check('resolveObject', () => [[undefined, 'x'], ['/a', '//h/x?y'], [require('url').parse('http://a/b'), 'c'], ['a/b', 'c']].map(pair => JSON.stringify(require('url').resolveObject(pair[0], pair[1]))));
check('Url', function () {
  var url = new (require('url').Url)().parse('http://a/b?c', true);
  return [url, url.resolve('d'), url.resolveObject(require('url').parse('/d')).href, Object.keys(require('url')), require('url').domainToUnicode('xn--mnchen-3ya.de')];
});
check('names of domains', function () {
  return ['a\u200d.b', 'a\u200c.b', '\u0915\u094d\u200d.b', 'a\u00adb.c', 'stra\u00dfe.de', '\u1e9e.de', 'B\u00dcCHER.de', 'A\u0308.de', '\uff21.de', '\u2603.net', '\u2167.de', '\u00bd.de', '\u{1f600}.de', '\u{1d7d9}.de', '\u65e5\u672c\u8a9e\u3002\uff2a\uff30',
    '\u05d0\u05d1.com', '\u05d0a.com', '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com', '\u0301a.b', '\u{10ffff}.b', '\u3002\u3002', '\uff41%41.b', '1\uff12' + '7.0.0.1', 'xn--a.b', 'xn--.b', 'XN--LS8H.la', 'xn--zz.la', 'xn--a-ecp.ru', 'a_b.xn--bcher-kva.de', 'a.\u00ad']
    .map(function (name) { try { return new URL('http://' + name).hostname; } catch (e) { return e.code; } });
});
['/a b/\u00e9%20?#\\x\n\t', '/a/../b/', '/a//c', '/', '/\u00fc;=^|~"`{}', 1].forEach(path => check('path to URL ' + path, () => {
  var url = require('url').pathToFileURL(path);
  return [url.href, require('url').fileURLToPath(url), require('url').fileURLToPath(url.href)];
}));
['file:///a%20b?c#d', 'file:///a%2Fb', 'http://x/', 'file://host/a', 'a', null].forEach(text => check('URL to path ' + text, () => require('url').fileURLToPath(text)));
check('without parameters', function () { return [null, undefined, {}, ''].map(function (none) { return new URLSearchParams(none) + '|'; }); });
check('extensions of paths', function () { return ['c', '.c', '', undefined].map(function (ext) { return require('path').format({ dir: '/a', name: 'b', ext: ext }); }); });
check('enumerable', function () {
  var keys = [];
  for (var k in new URL('http://a')) keys.push(k);
  return [Object.keys(new URL('http://a')), keys.indexOf('href') >= 0];
});
module.exports = function () {
  return { body: results };
};
