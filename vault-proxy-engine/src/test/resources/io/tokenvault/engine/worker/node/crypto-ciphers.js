const crypto = require('crypto');
const text = 'Some plain text, é, longer than two blocks of sixteen.';
const iv = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
function key(name) { return Buffer.alloc(Number(/\d{3}/.exec(name)[0]) / 8, 0x42); }
function run(name, vector, out) { const c = crypto.createCipheriv(name, key(name), vector); return c.update(text, 'utf8', out) + c.final(out); }
function back(name, vector, data, enc, out) { const d = crypto.createDecipheriv(name, key(name), vector); return d.update(data, enc, out) + d.final(out); }
['aes-128-cbc', 'aes-192-cbc', 'aes-256-cbc', 'AES-256-CBC', 'aes128', 'aes-256-ctr', 'aes192', 'aes256'].forEach(function (n) {
  check(n, () => ['hex', 'base64', 'base64url', 'latin1', 'utf16le'].map(e => run(n.replace(/^aes(\d)/, 'aes$1'), iv, e)));
  check(n + ' back', () => ['utf8', 'hex', 'base64', 'ucs2'].map(e => back(n, iv, run(n, iv, 'hex'), 'hex', e)));
});
check('aes-256-ecb', () => [run('aes-256-ecb', null, 'hex'), back('aes-256-ecb', '', run('aes-256-ecb', null, 'hex'), 'hex', 'utf8')]);
['des-ede3-cbc', 'DES-EDE3-CBC', 'des3', 'des-ede3', 'des-ede3-ecb', 'des-ede-cbc', 'des-ede', 'des-ede-ecb'].forEach(function (n) {
  const secret = Buffer.from('0123456789abcdeffedcba98765432101122334455667788', 'hex').slice(0, /3/.test(n) ? 24 : 16);
  const vector = /cbc|^des3$/i.test(n) ? iv.slice(0, 8) : null;
  check(n, () => { const c = crypto.createCipheriv(n, secret, vector); const sealed = c.update(text, 'utf8', 'hex') + c.final('hex'); const d = crypto.createDecipheriv(n, secret, vector); return [sealed, d.update(sealed, 'hex', 'utf8') + d.final('utf8')]; });
  check(n + ' without padding', () => { const c = crypto.createCipheriv(n, secret, vector).setAutoPadding(false); return [c.update('0411111122222222', 'hex', 'hex'), c.final('hex')]; });
  check(n + ' wrong length', () => { const d = crypto.createDecipheriv(n, secret, vector); d.update(Buffer.alloc(12)); d.final(); });
  check(n + ' wrong key', () => crypto.createCipheriv(n, secret.slice(1), vector));
  check(n + ' wrong vector', () => crypto.createCipheriv(n, secret, iv));
});
['aes-128-gcm', 'aes-192-gcm', 'aes-256-gcm', 'id-aes256-GCM'].forEach(function (n) {
  [12, 16, 1, 8, 60].forEach(function (size) {
    const vector = Buffer.alloc(size, 7);
    check(n + ' iv ' + size, () => {
      const c = crypto.createCipheriv(n, key(n), vector);
      c.setAAD(Buffer.from('header'));
      const parts = [c.update('ab'), c.update(text, 'utf8'), c.update('', 'utf8'), c.final()];
      const tag = c.getAuthTag();
      const d = crypto.createDecipheriv(n, key(n), vector);
      d.setAuthTag(tag);
      d.setAAD(Buffer.from('header'));
      return [parts, tag, d.update(Buffer.concat(parts)), d.final()];
    });
  });
});
check('gcm pieces', () => { const c = crypto.createCipheriv('aes-128-gcm', key('128'), iv.slice(0, 12)); const out = []; for (let i = 0; i < 40; i += 7) out.push(c.update(Buffer.alloc(7, i))); c.final(); return [out, c.getAuthTag()]; });
check('gcm tag lengths', () => [4, 8, 12, 13, 14, 15, 16].map(n => { const c = crypto.createCipheriv('aes-128-gcm', key('128'), iv, { authTagLength: n }); c.update('a'); c.final(); const d = crypto.createDecipheriv('aes-128-gcm', key('128'), iv, { authTagLength: n }); d.setAuthTag(c.getAuthTag()); return [c.getAuthTag(), d.update('65', 'hex').length]; }));
check('gcm base64 tag', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); const t = c.update('secret', 'utf8', 'base64') + c.final('base64'); const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); d.setAuthTag(c.getAuthTag().toString('base64'), 'base64'); return [t, d.update(t, 'base64', 'utf8') + d.final('utf8')]; });
check('gcm wrong tag', () => { const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); d.update(Buffer.alloc(16)); d.setAuthTag(Buffer.alloc(16)); d.final(); });
check('gcm gives out before it knows', () => { const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); return d.update(Buffer.alloc(5)); });
check('gcm no tag', () => { const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); d.update(Buffer.alloc(16)); d.final(); });
check('gcm wrong aad', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.setAAD(Buffer.from('a')); c.final(); const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); d.setAAD(Buffer.from('b')); d.setAuthTag(c.getAuthTag()); d.final(); });
check('gcm early tag', () => crypto.createCipheriv('aes-256-gcm', key('256'), iv).getAuthTag());
check('gcm short tag', () => crypto.createDecipheriv('aes-256-gcm', key('256'), iv).setAuthTag(Buffer.alloc(3)));
check('gcm other tag', () => crypto.createDecipheriv('aes-256-gcm', key('256'), iv, { authTagLength: 12 }).setAuthTag(Buffer.alloc(16)));
check('gcm tag twice', () => { const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); d.setAuthTag(Buffer.alloc(16)); d.setAuthTag(Buffer.alloc(16)); });
check('gcm tag(number)', () => crypto.createDecipheriv('aes-256-gcm', key('256'), iv).setAuthTag(5));
check('gcm aad late', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.update('a'); c.setAAD(Buffer.alloc(2)); });
check('gcm aad after end', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.final(); c.setAAD(Buffer.alloc(2)); });
check('gcm aad parts', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.setAAD(Buffer.from('a')); c.setAAD(Buffer.from('b')); c.final(); return c.getAuthTag(); });
check('gcm tag length option', () => crypto.createCipheriv('aes-256-gcm', key('256'), iv, { authTagLength: 3 }));
check('gcm end twice', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.final(); c.final(); });
check('gcm update after end', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); c.final(); c.update('a'); });
check('gcm no iv', () => crypto.createCipheriv('aes-256-gcm', key('256'), Buffer.alloc(0)));
check('gcm null iv', () => crypto.createCipheriv('aes-256-gcm', key('256'), null));
check('gcm chained', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); return c.setAAD(Buffer.alloc(1)) === c; });
check('cbc buffers', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); return [c.update('abc'), c.update(Buffer.alloc(20)), c.update(''), c.final()]; });
check('cbc back in pieces', () => { const all = Buffer.from(run('aes-256-cbc', iv, 'hex'), 'hex'); const d = crypto.createDecipheriv('aes-256-cbc', key('256'), iv); return Buffer.concat([d.update(all.slice(0, 16)), d.update(all.slice(16, 40)), d.update(all.slice(40)), d.final()]); });
check('cbc utf8 pieces', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); const all = Buffer.concat([c.update('aaaaaaaaaaaaaaa\u20ac\ud83d\ude00bbbbbbbbbbbbbbbbbbbbbb'), c.final()]); const d = crypto.createDecipheriv('aes-256-cbc', key('256'), iv); return [d.update(all.slice(0, 32), undefined, 'utf8'), d.update(all.slice(32), undefined, 'utf8'), d.final('utf8')]; });
check('no padding', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); c.setAutoPadding(false); return [c.update(Buffer.alloc(32)), c.final()]; });
check('no padding back', () => { const d = crypto.createDecipheriv('aes-256-cbc', key('256'), iv); d.setAutoPadding(false); return [d.update(Buffer.alloc(32)), d.final()]; });
check('no padding, odd', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); c.setAutoPadding(false); c.update('abc'); c.final(); });
check('padding late', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); c.final(); c.setAutoPadding(false); });
check('cut off', () => { const d = crypto.createDecipheriv('aes-256-cbc', key('256'), iv); d.update('aaaa', 'hex'); d.final(); });
check('wrong key', () => { const d = crypto.createDecipheriv('aes-256-cbc', key('256'), iv); d.update(Buffer.alloc(16)); d.final(); });
check('nothing', () => crypto.createDecipheriv('aes-256-cbc', key('256'), iv).final());
check('end twice', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); c.final(); c.final(); });
check('update after end', () => { const c = crypto.createCipheriv('aes-256-cbc', key('256'), iv); c.final(); c.update('a'); });
check('aad without gcm', () => crypto.createCipheriv('aes-256-cbc', key('256'), iv).setAAD(Buffer.alloc(2)));
check('tag without gcm', () => crypto.createDecipheriv('aes-256-cbc', key('256'), iv).setAuthTag(Buffer.alloc(16)));
check('unknown cipher', () => crypto.createCipheriv('nope', key('256'), iv));
check('key too short', () => crypto.createCipheriv('aes-256-cbc', Buffer.alloc(5), iv));
check('iv too short', () => crypto.createCipheriv('aes-256-cbc', key('256'), Buffer.alloc(5)));
check('no iv', () => crypto.createCipheriv('aes-256-cbc', key('256')));
check('null iv', () => crypto.createCipheriv('aes-256-cbc', key('256'), null));
check('iv for ecb', () => crypto.createCipheriv('aes-256-ecb', key('256'), iv));
check('cipher(number)', () => crypto.createCipheriv(5));
check('key(number)', () => crypto.createCipheriv('aes-256-cbc', 5, iv));
check('iv(number)', () => crypto.createCipheriv('aes-256-cbc', key('256'), 5));
check('text key and iv', () => { const c = crypto.createCipheriv('aes-256-cbc', 'x'.repeat(32), 'y'.repeat(16)); return c.update('hello', 'utf8', 'hex') + c.final('hex'); });
check('secret key object', () => { const c = crypto.createCipheriv('aes-256-cbc', crypto.createSecretKey(key('256')), iv); return c.update('hello', 'utf8', 'hex') + c.final('hex'); });
check('update(number)', () => crypto.createCipheriv('aes-256-cbc', key('256'), iv).update(5));
check('final(unknown)', () => crypto.createCipheriv('aes-256-cbc', key('256'), iv).final('nope'));
check('update(, , unknown)', () => crypto.createCipheriv('aes-256-cbc', key('256'), iv).update('a', 'utf8', 'nope'));
check('methods', () => { const c = crypto.createCipheriv('aes-256-gcm', key('256'), iv); const d = crypto.createDecipheriv('aes-256-gcm', key('256'), iv); return [typeof c.getAuthTag, typeof c.setAuthTag, typeof d.getAuthTag, typeof d.setAuthTag, c.constructor.name, d.constructor.name, c instanceof crypto.Cipheriv]; });
