var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
var qs = require('querystring');
[{ a: 1, b: [1, 'x y', true], c: null, d: undefined, e: NaN, f: '', g: BigInt(5), h: {} }, { 'ä ö': '&=+?#/', "'()*!~": "'()*!~" }, {}, 'text', null, [1, 2], { a: [] }].forEach(function (value, i) {
  check('stringify ' + i, function () {
    return qs.stringify(value);
  });
});
check('stringify with separators', function () {
  return qs.stringify({ a: 1, b: [2, 3] }, ';', ':');
});
check('stringify with encoder', function () {
  return qs.stringify({ a: 'x y' }, null, null, { encodeURIComponent: function (s) { return '<' + s + '>'; } });
});
['a=1&b=2', 'a=1&a=2&a=3', 'a', '=b', 'a=b=c', '&&a=1&', 'a=%20x+y', 'a=%zz&b=%E4%F6', '%C3%A4=%F0%9F%98%80', '', '__proto__=1&toString=2', 'a[]=1&a[b]=2', '?a=1'].forEach(function (text) {
  check('parse ' + text, function () {
    var parsed = qs.parse(text);
    return [Object.getPrototypeOf(parsed) === null, Object.entries(parsed)];
  });
});
check('parse with separators', function () {
  return qs.parse('a:1;b:2', ';', ':');
});
check('parse with maxKeys', function () {
  return qs.parse('a=1&b=2&c=3', null, null, { maxKeys: 2 });
});
check('parse with decoder', function () {
  return qs.parse('a=%41', null, null, { decodeURIComponent: function () { throw new Error('x'); } });
});
check('parse of no text', function () {
  return qs.parse(5);
});
check('escape', function () {
  return [qs.escape("a b&c'(ä)"), qs.unescape('a%20b%zz'), qs.encode === qs.stringify, qs.decode === qs.parse];
});
module.exports = function () {
  return { body: results };
};
