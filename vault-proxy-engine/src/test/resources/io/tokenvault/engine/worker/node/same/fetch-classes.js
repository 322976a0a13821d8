var results = {};
function check(name, run) {
  try {
    var value = run();
    results[name] = value === undefined ? 'undefined' : value;
  } catch (e) {
    results[name] = 'throws ' + (e && e.name) + ': ' + (e && e.message) + (e && e.code ? ' ' + e.code : '');
  }
}
check('statuses without content', function () { return [204, 205, 304].map(function (status) { var thrown = null; try { new Response('', { status: status }); } catch (e) { thrown = [e.name, e.message]; } return [thrown, new Response(null, { status: status }).status]; }); });
check('settings of requests', function () { var first = new Request('https://a.test/p', { method: 'POST', redirect: 'manual', body: 'x', cache: 'no-store' }); var second = new Request(first, { cache: 'reload' }); return [first, second, second.clone(), new Request('https://b.test/', second)].map(function (r) { return [r.url, r.method, r.cache, r.credentials, r.destination, r.integrity, r.keepalive, r.mode, r.redirect, r.referrer, r.referrerPolicy, r.signal.aborted, r.signal === r.signal, r.signal instanceof AbortSignal]; }); });
check('headers', function () { var h = new Headers({ 'Content-Type': 'text/plain', B: '2' }); h.append('b', '3'); h.set('A', ' 1 '); return [h.get('content-type'), h.get('b'), h.get('none'), h.has('a'), Array.from(h), Array.from(h.keys()), Array.from(h.values())]; });
check('headers of pairs', function () { var h = new Headers([['x', '1'], ['x', '2']]); h.delete('y'); var seen = []; h.forEach(function (v, k, all) { seen.push(k + v + (all === h)); }); return [seen, new Headers(h).get('x')]; });
check('set-cookie', function () { var h = new Headers([['set-cookie', 'a=1'], ['set-cookie', 'b=2']]); return [h.getSetCookie(), h.get('set-cookie'), Array.from(h)]; });
check('bad header names', function () { try { new Headers({ 'a b': 1 }); } catch (e) { return e.name; } });
check('bad header values', function () { try { new Headers({ a: 'x\ny' }); } catch (e) { return e.name; } });
check('response', function () { var r = new Response('hi', { status: 201, statusText: 'Made', headers: { x: 'y' } }); return [r.status, r.ok, r.statusText, r.headers.get('x'), r.headers.get('content-type'), r.url, r.bodyUsed, r.type, r.redirected]; });
check('response of nothing', function () { var r = new Response(); return [r.status, r.ok, r.headers.get('content-type')]; });
check('response of parameters', function () { return new Response(new URLSearchParams('a=b')).headers.get('content-type'); });
check('stream of a body', function () { var r = new Response('x'); var b = r.body; b.getReader(); return [new Response().body, r.body === b, b.locked, Object.prototype.toString.call(b), typeof b[Symbol.asyncIterator]]; });
check('body of the prototype', function () { try { return typeof Response.prototype.body; } catch (e) { return [e.name, typeof new Response('x').body]; } });
check('reserved body', function () { var r = new Response('x'); r.body.getReader(); try { return new Response(r.body); } catch (e) { return e.name; } });
check('clone of a reserved body', function () { var r = new Response('x'); r.body.getReader(); try { return r.clone(); } catch (e) { return e.name; } });
check('bad status', function () { try { new Response('', { status: 99 }); } catch (e) { return e.name; } });
check('not ok', function () { return new Response(null, { status: 404 }).ok; });
check('request', function () { var r = new Request('http://EXAMPLE.com/a?b#c', { method: 'post', body: 'x', headers: { A: 'b' } }); return [r.url, r.method, r.headers.get('a'), r.headers.get('content-type'), r.bodyUsed]; });
check('request of a request', function () { var r = new Request(new Request('http://a/', { method: 'PUT', body: 'x' }), { headers: { z: '1' } }); return [r.url, r.method, r.headers.get('z')]; });
check('request methods', function () { return ['get', 'delete', 'patch', 'PATCH'].map(function (m) { return new Request('http://a/', { method: m }).method; }); });
check('GET with a body', function () { try { new Request('http://a/', { body: 'x' }); } catch (e) { return [e.name, e.message]; } });
check('bad method', function () { try { new Request('http://a/', { method: 'a b' }); } catch (e) { return e.name; } });
check('credentials', function () { try { new Request('http://u:p@a/'); } catch (e) { return e.name; } });
check('abort', function () { var c = new AbortController(); var seen = []; c.signal.addEventListener('abort', function (e) { seen.push(e.type + (e.target === c.signal)); }); c.signal.onabort = function () { seen.push('on'); }; var before = c.signal.aborted; c.abort(); c.abort(); return [before, c.signal.aborted, c.signal.reason.name, c.signal.reason.message, c.signal.reason.code, c.signal.reason instanceof DOMException, seen.sort()]; });
check('any signal', function () { var c = new AbortController(), d = new AbortController(); var s = AbortSignal.any([c.signal, d.signal]); var seen = [s.aborted]; s.addEventListener('abort', function () { seen.push('event'); }); d.abort('d'); c.abort('c'); return seen.concat(s.aborted, s.reason, AbortSignal.any([]).aborted, AbortSignal.any([c.signal, d.signal]).reason, (function () { try { AbortSignal.any([1]); } catch (e) { return e.name; } })()); });
check('abort with a reason', function () { var c = new AbortController(); c.abort('why'); try { c.signal.throwIfAborted(); } catch (e) { return [e, AbortSignal.abort().aborted]; } });
check('signals are not made', function () { try { new AbortSignal(); } catch (e) { return [e.name, e.message]; } });
check('message port', function () { try { new MessagePort(); } catch (e) { return [e.name, {} instanceof MessagePort, MessagePort.name]; } });
check('event target', function () { var t = new EventTarget(); var n = 0; function f() { n++; } t.addEventListener('x', f); t.addEventListener('x', f); t.addEventListener('x', { handleEvent: f }, { once: true }); t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); t.removeEventListener('x', f); t.dispatchEvent(new Event('x')); return n; });
function settled(name, promise) {
  return promise.then(function (value) { results[name] = value === undefined ? 'undefined' : value; }, function (e) { results[name] = 'rejects ' + e.name + ': ' + e.message; });
}
function chunks(message) {
  var reader = message.body.getReader();
  var read = [];
  return reader.read().then(function next(chunk) {
    if (chunk.done) {
      return [Buffer.concat(read).toString(), read[0] instanceof Uint8Array, message.bodyUsed];
    }
    read.push(chunk.value);
    return reader.read().then(next);
  });
}
function readTwice(message) {
  return chunks(message).then(function () { return message.text(); });
}
function readReserved(message) {
  message.body.getReader();
  return message.text();
}
function firstOf(stream) {
  var iterator = stream[Symbol.asyncIterator]();
  return iterator.next().then(function (first) {
    return iterator.return('end').then(function (last) {
      return [Buffer.from(first.value).toString(), first.done, last.done];
    });
  });
}
module.exports = function () {
  var twice = new Response('x');
  var cloned = new Response('c');
  var aborted = new AbortController();
  aborted.abort();
  return Promise.all([
    settled('chunks', chunks(new Response('hällo'))),
    settled('chunks of a request', chunks(new Request('http://a/', { method: 'POST', body: 'x' }))),
    settled('chunks of nothing', chunks(new Response(''))),
    settled('text behind chunks', readTwice(new Response('x')).catch(function (e) { return e.name; })),
    settled('text of a reserved body', readReserved(new Response('x')).catch(function (e) { return e.name; })),
    settled('iterated chunks', firstOf(new Response('x').body)),
    settled('canceled body', new Response('x').body.cancel()),
    settled('body of a body', new Response(new Response('x').body).text()),
    settled('text', new Response('hällo').text()),
    settled('json', new Response('{"a":[1]}').json()),
    settled('bad json', new Response('{').json().catch(function (e) { return e.name; })),
    settled('bytes', new Response(new Uint8Array([1, 2, 255])).arrayBuffer().then(function (b) { return [b instanceof ArrayBuffer, Array.from(new Uint8Array(b))]; })),
    settled('buffer', new Response(Buffer.from('abc')).text()),
    settled('byte order mark', new Response('\ufeffx').text()),
    settled('empty', new Response().text()),
    settled('twice', twice.text().then(function () { return twice.bodyUsed; }).then(function (used) { return twice.text().catch(function (e) { return [used, e.name]; }); })),
    settled('clone', Promise.all([cloned.clone().text(), cloned.text()])),
    settled('request text', new Request('http://a/', { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }).text()),
    settled('bad url', fetch('not a url')),
    settled('bad scheme', fetch('ftp://a/').catch(function (e) { return [e.name, e.message]; })),
    settled('aborted before', fetch('http://a/', { signal: aborted.signal })),
    settled('GET with body', fetch('http://a/', { body: 'x' })),
    settled('timeout signal', new Promise(function (resolve) { var s = AbortSignal.timeout(1); s.addEventListener('abort', function () { resolve(s.reason.name); }); setTimeout(function () {}, 50); }))
  ]).then(function () {
    var sorted = {};
    Object.keys(results).sort().forEach(function (k) { sorted[k] = results[k]; });
    return { body: sorted };
  });
};
