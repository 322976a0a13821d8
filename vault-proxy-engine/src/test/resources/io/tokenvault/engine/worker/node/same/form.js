var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + e.name + ': ' + e.message + (e.code ? ' ' + e.code : '');
  }
}
function shown(value) {
  return typeof value === 'string' ? value : [value.constructor.name, value.name, value.type, value.size];
}
function fields() {
  var form = new FormData();
  form.append('a', 1);
  form.append('a', 'x\ny');
  form.append('b', new Blob(['q'], { type: 'Text/X' }));
  form.append('c', new Blob(['q']), 'f"\u00e9.txt');
  form.append('d', new File(['r'], 'own', { lastModified: 5 }));
  form.append('e', new File(['r'], 'own'), 'other');
  return form;
}
check('bytes', function () {
  return new Blob(['\u00e9', new Uint8Array([1, 2]), new ArrayBuffer(3), new DataView(new ArrayBuffer(4), 1), new Blob(['x']), 5, null]).size;
});
check('types', function () { return [new Blob().type, new Blob(['a'], { type: 'A/B; C=D' }).type, new Blob([], { type: '\u00e9' }).type]; });
check('slices', function () {
  var blob = new Blob(['abcdef'], { type: 'a' });
  return [blob.slice(-3, -1).size, blob.slice(1).size, blob.slice(4, 2).size, blob.slice(1, 2, 'b').type, blob.slice(1, 2).type];
});
check('classes', function () {
  return [String(new Blob()), String(new File([], 'a')), String(new FormData()), new File([], 'a') instanceof Blob, new File([], 'a', { lastModified: 7 }).lastModified];
});
[5, 'ab', null].forEach(function (parts) { check('parts ' + JSON.stringify(parts), function () { return new Blob(parts); }); });
check('options', function () { return new Blob([], 5); });
check('Blob without new', function () { return Blob([]); });
check('File without name', function () { return new File([]); });
check('FormData of something', function () { return new FormData({}); });
check('fields', function () {
  var form = fields();
  var seen = [];
  form.forEach(function (value, name, all) { seen.push([name, shown(value), all === form]); });
  return [seen, Array.from(form).length, Array.from(form.keys()), Array.from(form.values(), shown), form.get('a'), form.get('z'), form.getAll('a'), form.has('b'), form.has('z')];
});
check('changes', function () {
  var form = fields();
  form.set('a', 'first');
  form.set('z', null);
  form.delete('b');
  form.delete('none');
  return Array.from(form.entries(), function (entry) { return [entry[0], shown(entry[1])]; });
});
check('append of one', function () { new FormData().append('a'); });
check('name of a text', function () { new FormData().append('a', 'b', 'c'); });
check('type of a Blob', function () { return [new Response(new Blob(['z'], { type: 'a/b' })).headers.get('content-type'), new Response(new Blob(['z'])).headers.get('content-type')]; });

check('classes of the module buffer', function () { return [require('buffer').Blob === Blob, require('buffer').File === File]; });
module.exports = function () {
  var form = fields();
  form.append('n\nq"', 'v');
  var request = new Request('http://a/', { method: 'POST', body: form });
  var boundary = /boundary=(.*)$/.exec(request.headers.get('content-type'))[1];
  return Promise.all([
    request.text(), new Blob(['a', '\u20ac']).text(), new Blob(['ab']).arrayBuffer(), new Response('x', { headers: { 'content-type': 'q/r' } }).blob(), new Response(new Blob(['in'])).text()
  ]).then(function (all) {
    results.read = [boundary.replace(/\d+$/, 'N'), all[0].split(boundary).join('B'), all[1], all[2].byteLength, shown(all[3]), all[4]];
    return { body: results };
  });
};
