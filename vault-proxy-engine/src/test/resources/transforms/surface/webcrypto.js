var crypto = require('crypto');
var subtle = globalThis.crypto.subtle;
var results = {};
var GCM = { name: 'AES-GCM', iv: new Uint8Array(12) };
var RSA = { kty: 'RSA', n: 'sOjknO_6sghRPdGFwwHZdeBLMJvYClmw_AMSvsY1IiQSX0WK-PQU010qBjVi781Tzhp1831Jo0mHf-5OCNxfy8NlciGjhiyFeaOAbGXdQRkNjK3uE7OwQHU2UEO-_wI8mgrsQt9WiE_kh5w4ZpL8Veds1pUhIQIdU5f3o77ZScek9z8TWf_jUWL1T2AMWpHPqdfZy0L5n74kZrQ4vmussbPSFNtn_vorOtLBLcXE9GCGXgCTWgAxHk8bSI_EPdxwh8WttImC359W_DJHegn7URyualcVGymscGsN8pyNykqgTPNYgUn0fQGEKdot7BHvt-9B7LFUi6FcWNHDq05FAw', e: 'AQAB', d: 'GYgAQlPx8BKk4uaORuaemH_zv1f7ywFHD7_Dy0uLVy-HL-ph6ZbpkILQB1BaGctIuSR2zwVPBM_zobdl2f_amsDK2bitbbZBgcdicoJq9t5OPHYiN1lbP5o1lJ-KUimOTxmcykk1fFEHZWOFfOw2muaI0xkiTFi5RxtV-R2Yef37gCu5wmA58L_w1M1rgMLRD-Wh5pIJ96YKHdSQvGjYjAsBjJI5aD7XS398VYQJlg18hkGJjGtNsHnRv9mV-52te7m1Voc1yyfHrusr-lp6oannFsgk4BiOjQxdLLSXokK-5-djW9bodEe1iSHYgN5q8LdtCYQ8YXJTrqHTkSJJdQ', p: '9bY_8x3SugeT81JiPYL7DIb7HrGuyHvQ8qF_rsCu2v4NA42rmyYjy1ytms1_mPB174-hexVdA-_xmOvsaG9XowZMdbUyfZdylif24oGQ-fd5FI1R5WQER5_vy1EfsNlPKBA9oR7Yh_cvFIwJHIqJrqMaMqkI9JE8kDKWk2XlpIU', q: 'uFEpqIxrjNb6OxnjICihjZVvKEo5P08iM5wgdn6xp8YvrOHbVu6xAgznbd4qBRv0OioOyNsj9xqFTxtUuvQnrE6GSSDv7vb1qeOmfG126sOFwyhMsSVMvXap1fYSkWldM9cl7VutoCIx0tL_I_lzLv4mTCuMLKHmBfN6BvbQ3ec', dp: '31JWyzOG7Heou9Vb3sZmQJuKL_qUfjkyzuOD9iPAiN-wmlMv7mJ61AGW9ATkfO_IcQSdYw4mrUZu0mtTQhQ4lb5KzgzzJ_z3M4x9Mp9KUjbfwJM1JQWDcknmG2fPIuBPtn0UVpV_fgxmqQkh2uP7gVNSo0rJDefXIMQp4SwSzTU', dq: 'Qec7VvnGZthjJoiuDkyY3zAES8qmR327A-saLGRGj2-skks7iwzTm6ETitQ6ABOrsrRhDu5UIMGJ0uw50pMEMHbvSuyM_cutsS4l1C2rrGt2w34AVgK5OrFYLpnKr9WVrriJ5iG2piAz4mbxNWK3DaFv_iI__6Fvxsb05dKQghc', qi: 'B6e8pW4YXX56yqy_NKyXKKXWOLRnpdgOe9nv5fxPIvHG5Q2RhNIJboTM7bg9jAF7HMV5-ffRG0iUsNfG97sjctN389O7tciPHUC7OWTQhaj4ruF7RAKD-Hrl_IgY2LusEZCGSVbkgQuemqFCr3NK4ljUQfTkTGqGuq67d47ftkQ' };

function hex(bytes) {
  return Buffer.from(bytes).toString('hex');
}

function shown(value) {
  if (value instanceof CryptoKey) {
    return { key: value.type, extractable: value.extractable, algorithm: shown(value.algorithm), usages: value.usages };
  }
  if (value instanceof ArrayBuffer) {
    return { memory: hex(value) };
  }
  if (value instanceof Uint8Array) {
    return { bytes: hex(value) };
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  var copy = Array.isArray(value) ? [] : {};
  Object.keys(value).sort().forEach(function (key) {
    copy[key] = shown(value[key]);
  });
  return copy;
}

async function check(name, run) {
  try {
    results[name] = shown(await run());
  } catch (e) {
    results[name] = { thrown: e.name, code: e.code, dom: e instanceof DOMException, error: e instanceof Error };
  }
}

function secret(algorithm, length, usages, extractable) {
  return subtle.importKey('raw', new Uint8Array(length).fill(7), algorithm, extractable !== false, usages);
}

async function digests() {
  for (const name of ['SHA-1', 'sha-256', { name: 'SHA-384' }, 'SHA-512', 'SHA-999', 'MD5', undefined, {}]) {
    await check('digest ' + JSON.stringify(name), () => subtle.digest(name, Buffer.from('text')));
  }
  for (const [name, data] of [['view', new Uint16Array([1, 2, 3]).subarray(1)], ['memory', new ArrayBuffer(3)], ['data view', new DataView(new ArrayBuffer(4), 1)], ['text', 'text'], ['null', null]]) {
    await check('digest of ' + name, () => subtle.digest('SHA-256', data));
  }
  await check('digest without data', () => subtle.digest('SHA-256'));
  await check('digest without anything', () => subtle.digest());
}

async function imports() {
  const HMAC = { name: 'hmac', hash: 'sha-256' };
  await check('import HMAC', () => secret(HMAC, 32, ['verify', 'sign', 'sign'], false));
  await check('import HMAC for encryption', () => secret(HMAC, 32, ['encrypt']));
  await check('import with unknown usage', () => secret(HMAC, 32, ['foo']));
  await check('import without usage', () => secret(HMAC, 32, []));
  await check('import without hash', () => secret('HMAC', 32, ['sign']));
  await check('import with unknown hash', () => secret({ name: 'HMAC', hash: 'MD5' }, 32, ['sign']));
  await check('import empty HMAC', () => secret(HMAC, 0, ['sign']));
  await check('import AES of 31 bytes', () => secret('AES-GCM', 31, ['encrypt']));
  await check('import in unknown format', () => subtle.importKey('foo', new Uint8Array(32), 'AES-GCM', false, ['encrypt']));
  await check('import AES as PKCS #8', () => subtle.importKey('pkcs8', new Uint8Array(32), 'AES-GCM', false, ['encrypt']));
  await check('import extractable PBKDF2', () => secret('PBKDF2', 3, ['deriveBits'], true));
  await check('import PBKDF2', () => secret('PBKDF2', 3, ['deriveBits', 'deriveKey'], false));
  await check('import of no bytes', () => subtle.importKey('raw', 'text', 'AES-GCM', true, ['encrypt']));
  const jwk = { kty: 'oct', k: 'AAAAAAAAAAAAAAAAAAAAAA' };
  for (const more of [{}, { alg: 'A128GCM', ext: true, key_ops: ['encrypt'] }, { alg: 'A256GCM' }, { ext: false }, { key_ops: ['decrypt'] }, { use: 'sig' }, { use: 'enc' }, { kty: 'RSA' }, { k: undefined }]) {
    await check('import JWK ' + JSON.stringify(more), () => subtle.importKey('jwk', { ...jwk, ...more }, 'AES-GCM', true, ['encrypt']));
  }
  for (const algorithm of [{ name: 'HMAC', hash: 'SHA-256', length: 128 }, { name: 'HMAC', hash: 'SHA-256', length: 64 }]) {
    await check('import HMAC of length ' + algorithm.length, () => secret(algorithm, 16, ['sign']));
  }
  await check('import JWK of text', () => subtle.importKey('jwk', 'text', 'AES-GCM', true, ['encrypt']));
}

async function exports() {
  const key = await secret('AES-GCM', 16, ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey']);
  await check('export raw', () => subtle.exportKey('raw', key));
  await check('export JWK', () => subtle.exportKey('jwk', key));
  await check('export AES as SPKI', () => subtle.exportKey('spki', key));
  await check('export of no key', () => subtle.exportKey('raw', {}));
  await check('export HMAC', async () => subtle.exportKey('jwk', await secret({ name: 'HMAC', hash: 'SHA-512' }, 5, ['sign', 'verify'])));
  await check('export of a hidden key', async () => subtle.exportKey('raw', await secret('AES-CBC', 16, ['encrypt'], false)));
}

async function ciphers() {
  const key = await secret('AES-GCM', 32, ['encrypt', 'decrypt']);
  const data = Buffer.from('some data');
  const additional = { ...GCM, additionalData: Buffer.from('more') };
  await check('encrypt GCM', () => subtle.encrypt(GCM, key, data));
  await check('encrypt GCM with data', () => subtle.encrypt(additional, key, data));
  await check('encrypt GCM with short tag', () => subtle.encrypt({ ...GCM, tagLength: 96 }, key, data));
  await check('decrypt GCM', async () => subtle.decrypt(additional, key, await subtle.encrypt(additional, key, data)));
  await check('decrypt wrong GCM', () => subtle.decrypt(GCM, key, new Uint8Array(30)));
  await check('decrypt short GCM', () => subtle.decrypt(GCM, key, new Uint8Array(3)));
  await check('encrypt GCM without vector', () => subtle.encrypt('AES-GCM', key, data));
  await check('encrypt GCM with odd tag', () => subtle.encrypt({ ...GCM, tagLength: 33 }, key, data));
  await check('encrypt with other algorithm', () => subtle.encrypt({ name: 'AES-CBC', iv: new Uint8Array(16) }, key, data));
  await check('sign with cipher key', () => subtle.sign('HMAC', key, data));
  await check('encrypt text', () => subtle.encrypt(GCM, key, 'text'));
  const cbc = await secret('AES-CBC', 24, ['encrypt', 'decrypt']);
  const CBC = { name: 'AES-CBC', iv: new Uint8Array(16) };
  await check('encrypt CBC', () => subtle.encrypt(CBC, cbc, data));
  await check('decrypt CBC', async () => subtle.decrypt(CBC, cbc, await subtle.encrypt(CBC, cbc, data)));
  await check('decrypt wrong CBC', () => subtle.decrypt(CBC, cbc, new Uint8Array(32)));
  await check('encrypt CBC with short vector', () => subtle.encrypt({ ...CBC, iv: new Uint8Array(15) }, cbc, data));
  const ctr = await secret('AES-CTR', 16, ['encrypt', 'decrypt']);
  const CTR = { name: 'AES-CTR', counter: new Uint8Array(16).fill(1), length: 64 };
  await check('encrypt CTR', () => subtle.encrypt(CTR, ctr, new Uint8Array(40)));
  await check('decrypt CTR', async () => subtle.decrypt(CTR, ctr, await subtle.encrypt(CTR, ctr, data)));
  await check('encrypt CTR of length 0', () => subtle.encrypt({ ...CTR, length: 0 }, ctr, data));
  const wrapping = { name: 'AES-GCM', iv: Buffer.from('97f9d2353f356ae731cfa313cd3c9832', 'hex') };
  await check('encrypt GCM over the end of its counter', () => subtle.encrypt(wrapping, key, new Uint8Array(100)));
  await check('decrypt GCM over the end of its counter', async () => subtle.decrypt(wrapping, key, await subtle.encrypt(wrapping, key, new Uint8Array(100))));
  await check('GCM in parts over the end of its counter', () => { const c = crypto.createCipheriv('aes-256-gcm', Buffer.alloc(32, 7), wrapping.iv); return Buffer.concat([c.update(Buffer.alloc(20)), c.update(Buffer.alloc(28)), c.update(Buffer.alloc(1)), c.update(Buffer.alloc(51)), c.final()]); });
  await check('encrypt CTR with all bits', () => subtle.encrypt({ ...CTR, counter: new Uint8Array(16).fill(255), length: 128 }, ctr, new Uint8Array(40)));
  const wrong = await secret('AES-GCM', 16, ['decrypt']);
  await check('encrypt with key for decryption', () => subtle.encrypt(GCM, wrong, data));
}

async function rsa() {
  const data = Buffer.from('some data');
  const { n, e, kty } = RSA;
  const OAEP = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const decrypting = await subtle.importKey('jwk', RSA, OAEP, true, ['decrypt', 'unwrapKey']);
  const encrypting = await subtle.importKey('jwk', { kty, n, e, alg: 'RSA-OAEP-256' }, OAEP, false, ['encrypt']);
  await check('private RSA', () => decrypting);
  await check('public RSA', () => encrypting);
  await check('decrypt OAEP', async () => subtle.decrypt('RSA-OAEP', decrypting, await subtle.encrypt('RSA-OAEP', encrypting, data)));
  await check('decrypt OAEP with label', async () => {
    const labeled = { name: 'RSA-OAEP', label: Buffer.from('label') };
    return subtle.decrypt(labeled, decrypting, await subtle.encrypt(labeled, encrypting, data));
  });
  await check('OAEP of a changed prototype', async () => {
    Object.prototype.padding = 3;
    Object.prototype.oaepLabel = Buffer.from('label');
    try {
      return [await subtle.decrypt('RSA-OAEP', decrypting, await subtle.encrypt('RSA-OAEP', encrypting, data))];
    } finally {
      delete Object.prototype.padding;
      delete Object.prototype.oaepLabel;
    }
  });
  await check('PSS of any salt', async () => subtle.verify({ name: 'RSA-PSS', saltLength: -2 }, await subtle.importKey('jwk', { kty, n, e }, { name: 'RSA-PSS', hash: 'SHA-256' }, true, ['verify']), new Uint8Array(256), data));
  await check('decrypt wrong OAEP', () => subtle.decrypt('RSA-OAEP', decrypting, new Uint8Array(256)));
  await check('encrypt too much with OAEP', () => subtle.encrypt('RSA-OAEP', encrypting, new Uint8Array(256)));
  await check('export private RSA', () => subtle.exportKey('jwk', decrypting));
  await check('export public RSA', () => subtle.exportKey('spki', encrypting));
  await check('export RSA as raw', () => subtle.exportKey('raw', encrypting));
  await check('export public RSA as PKCS #8', () => subtle.exportKey('pkcs8', encrypting));
  await check('import of PKCS #8', async () => subtle.importKey('pkcs8', await subtle.exportKey('pkcs8', decrypting), OAEP, false, ['decrypt']));
  await check('import of SPKI for decryption', async () => subtle.importKey('spki', await subtle.exportKey('spki', encrypting), OAEP, true, ['decrypt']));
  await check('import of SPKI as EC', async () => subtle.importKey('spki', await subtle.exportKey('spki', encrypting), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']));
  await check('import of garbage', () => subtle.importKey('spki', new Uint8Array(24), OAEP, true, ['encrypt']));
  for (const name of ['RSASSA-PKCS1-v1_5', 'RSA-PSS']) {
    const algorithm = { name, hash: 'SHA-384' };
    const use = { name, saltLength: name === 'RSA-PSS' ? 0 : undefined };
    const signing = await subtle.importKey('jwk', RSA, algorithm, false, ['sign']);
    const verifying = await subtle.importKey('jwk', { kty, n, e }, algorithm, true, ['verify']);
    await check('sign ' + name, () => subtle.sign(use, signing, data));
    await check('verify ' + name, async () => subtle.verify(use, verifying, await subtle.sign(use, signing, data), data));
    await check('verify wrong ' + name, () => subtle.verify(use, verifying, new Uint8Array(256), data));
  }
  await check('generate RSA', async () => {
    const pair = await subtle.generateKey({ ...OAEP, modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, false, ['encrypt', 'decrypt']);
    return { ...pair, plain: await subtle.decrypt('RSA-OAEP', pair.privateKey, await subtle.encrypt('RSA-OAEP', pair.publicKey, data)) };
  });
  await check('generate RSA for encryption only', () => subtle.generateKey({ ...OAEP, modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) }, false, ['encrypt']));
}

async function curves() {
  const data = Buffer.from('some data');
  for (const namedCurve of ['P-256', 'P-384', 'P-521', 'P-255']) {
    const ECDSA = { name: 'ECDSA', namedCurve, hash: 'SHA-256' };
    await check('ECDSA on ' + namedCurve, async () => {
      const pair = await subtle.generateKey(ECDSA, true, ['sign', 'verify']);
      const signed = await subtle.sign(ECDSA, pair.privateKey, data);
      const raw = await subtle.exportKey('raw', pair.publicKey);
      const again = await subtle.importKey('raw', raw, ECDSA, true, ['verify']);
      const pkcs8 = await subtle.exportKey('pkcs8', pair.privateKey);
      const signing = await subtle.importKey('pkcs8', pkcs8, ECDSA, true, ['sign']);
      const jwk = await subtle.exportKey('jwk', signing);
      return [pair, signed.byteLength, raw.byteLength, await subtle.verify(ECDSA, again, signed, data), Object.keys(jwk).sort(),
        await subtle.verify(ECDSA, pair.publicKey, await subtle.sign(ECDSA, signing, data), data)];
    });
    await check('ECDH on ' + namedCurve, async () => {
      const ECDH = { name: 'ECDH', namedCurve };
      const mine = await subtle.generateKey(ECDH, true, ['deriveBits', 'deriveKey']);
      const other = await subtle.generateKey(ECDH, true, ['deriveBits']);
      const secret = await subtle.deriveBits({ name: 'ECDH', public: other.publicKey }, mine.privateKey, null);
      const again = await subtle.deriveBits({ name: 'ECDH', public: mine.publicKey }, other.privateKey, null);
      const part = await subtle.deriveBits({ name: 'ECDH', public: mine.publicKey }, other.privateKey, 100);
      const key = await subtle.deriveKey({ name: 'ECDH', public: other.publicKey }, mine.privateKey, { name: 'AES-GCM', length: 128 }, false, ['encrypt']);
      return [mine, secret.byteLength, hex(secret) === hex(again), part.byteLength, hex(secret).startsWith(hex(part).slice(0, -1)), key];
    });
  }
  const ECDH = { name: 'ECDH', namedCurve: 'P-256' };
  const pair = await subtle.generateKey(ECDH, true, ['deriveBits']);
  await check('ECDH with too many bits', () => subtle.deriveBits({ name: 'ECDH', public: pair.publicKey }, pair.privateKey, 512));
  await check('ECDH with private keys', () => subtle.deriveBits({ name: 'ECDH', public: pair.privateKey }, pair.privateKey, 256));
  await check('ECDH with another curve', async () => subtle.deriveBits({ name: 'ECDH', public: (await subtle.generateKey({ ...ECDH, namedCurve: 'P-384' }, true, ['deriveBits'])).publicKey }, pair.privateKey, 256));
  await check('import of a wrong point', () => subtle.importKey('raw', new Uint8Array(65), ECDH, true, []));
  const spki = new Uint8Array(await subtle.exportKey('spki', pair.publicKey));
  spki[spki.length - 1] ^= 1;
  await check('import of a wrong point in SPKI', () => subtle.importKey('spki', spki, ECDH, true, []));
  const small = Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420' + '07'.repeat(32), 'hex');
  await check('PKCS #8 without public key', async () => (await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, await subtle.importKey('pkcs8', small, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']), data)).byteLength);
  const exported = await subtle.exportKey('jwk', pair.publicKey);
  for (const alg of ['ES256', 'ES384', 'RS256', undefined]) {
    await check('import JWK of ECDSA with ' + alg, async () => (await subtle.importKey('jwk', { kty: exported.kty, crv: exported.crv, x: exported.x, y: exported.y, alg }, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])).type);
  }
  await check('import of a point of another curve', async () => subtle.importKey('raw', await subtle.exportKey('raw', pair.publicKey), { name: 'ECDH', namedCurve: 'P-384' }, true, []));
  await check('sign without hash', async () => subtle.sign('ECDSA', (await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])).privateKey, data));
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: 'jdE03-bfB6Bru_rBgZBMFxcU74fvAyq8iv4pPf7eu2k', x: 'HPBUePshD_-4ZZq4mx9knHcgZp7VdCcm5k1lUTQZio4' };
  await check('import JWK of EdDSA', () => subtle.importKey('jwk', { ...jwk, alg: 'EdDSA' }, 'Ed25519', true, ['sign']));
  const ed = await subtle.importKey('jwk', jwk, 'Ed25519', true, ['sign']);
  const verifying = await subtle.importKey('raw', Buffer.from(jwk.x, 'base64'), 'Ed25519', true, ['verify']);
  await check('Ed25519', async () => [ed, verifying, await subtle.sign('Ed25519', ed, data), await subtle.verify('Ed25519', verifying, await subtle.sign('Ed25519', ed, data), data)]);
  await check('Ed25519 exported', async () => [await subtle.exportKey('jwk', ed), await subtle.exportKey('spki', verifying), await subtle.exportKey('raw', verifying)]);
  await check('Ed25519 generated', async () => {
    const made = await subtle.generateKey('Ed25519', true, ['sign', 'verify']);
    return [made, Object.keys(await subtle.exportKey('jwk', made.privateKey)).sort(), await subtle.verify('Ed25519', made.publicKey, await subtle.sign('Ed25519', made.privateKey, data), data)];
  });
}

async function derived() {
  const password = await secret('PBKDF2', 3, ['deriveBits', 'deriveKey'], false);
  const PBKDF2 = { name: 'PBKDF2', salt: Buffer.from('salt'), iterations: 10, hash: 'SHA-256' };
  for (const bits of [256, 8, 12, null]) {
    await check('PBKDF2 of ' + bits, () => subtle.deriveBits(PBKDF2, password, bits));
  }
  await check('PBKDF2 for AES', async () => subtle.exportKey('raw', await subtle.deriveKey(PBKDF2, password, { name: 'AES-GCM', length: 256 }, true, ['encrypt'])));
  await check('PBKDF2 for HMAC', () => subtle.deriveKey(PBKDF2, password, { name: 'HMAC', hash: 'SHA-384' }, true, ['sign']));
  const seed = await secret('HKDF', 16, ['deriveBits'], false);
  await check('HKDF', () => subtle.deriveBits({ name: 'HKDF', salt: new Uint8Array(4), info: Buffer.from('info'), hash: 'SHA-512' }, seed, 336));
  await check('HKDF without right', () => subtle.deriveKey({ name: 'HKDF', salt: new Uint8Array(4), info: new Uint8Array(0), hash: 'SHA-512' }, seed, { name: 'AES-GCM', length: 256 }, true, ['encrypt']));
  for (const algorithm of [{ name: 'AES-CBC', length: 192 }, { name: 'AES-CBC', length: 127 }, { name: 'HMAC', hash: 'SHA-512' }, { name: 'HMAC', hash: 'SHA-1', length: 80 }, 'AES-GCM', 'HKDF']) {
    await check('generate ' + JSON.stringify(algorithm), () => subtle.generateKey(algorithm, true, algorithm.hash ? ['sign'] : ['encrypt']));
  }
  await check('generate HMAC of no bits', () => subtle.generateKey({ name: 'HMAC', hash: 'SHA-1', length: 0 }, true, ['sign']));
  await check('generate AES for signatures', () => subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, ['sign']));
  await check('generate AES for nothing', () => subtle.generateKey({ name: 'AES-CBC', length: 128 }, true, []));
}

async function wrapped() {
  const key = await secret('AES-GCM', 16, ['encrypt', 'wrapKey', 'unwrapKey']);
  const wrapping = await secret('AES-KW', 32, ['wrapKey', 'unwrapKey']);
  await check('wrap', () => subtle.wrapKey('raw', key, wrapping, 'AES-KW'));
  await check('unwrap', async () => subtle.exportKey('raw', await subtle.unwrapKey('raw', await subtle.wrapKey('raw', key, wrapping, 'AES-KW'), wrapping, 'AES-KW', 'AES-CBC', true, ['decrypt'])));
  await check('unwrap garbage', () => subtle.unwrapKey('raw', new Uint8Array(24), wrapping, 'AES-KW', 'AES-GCM', true, ['encrypt']));
  await check('unwrap garbage of 7 bytes', () => subtle.unwrapKey('raw', new Uint8Array(7), wrapping, 'AES-KW', 'AES-GCM', true, ['encrypt']));
  for (const [name, algorithm, by] of [['AES-KW', 'AES-KW', wrapping], ['AES-GCM', GCM, key]]) {
    await check('JWK by ' + name, async () => {
      const packed = await subtle.wrapKey('jwk', key, by, algorithm);
      return subtle.exportKey('raw', await subtle.unwrapKey('jwk', packed, by, algorithm, 'AES-GCM', true, ['encrypt']));
    });
  }
  await check('wrap hidden', async () => subtle.wrapKey('raw', await secret('AES-GCM', 16, ['encrypt'], false), wrapping, 'AES-KW'));
  const cipher = () => crypto.createCipheriv('id-aes128-wrap', Buffer.alloc(16, 1), Buffer.alloc(8, 0xa6));
  await check('cipher of key wrapping', () => Buffer.concat([cipher().update(Buffer.alloc(16, 2)), cipher().final()]));
  await check('names of key wrapping', () => crypto.getCiphers().filter((name) => /^(id-)?aes\d+-wrap$/.test(name)).sort());
  await check('cipher with short vector', () => crypto.createCipheriv('id-aes128-wrap', Buffer.alloc(16), Buffer.alloc(16)));
}

async function beside() {
  const hidden = await secret({ name: 'HMAC', hash: 'SHA-256' }, 16, ['sign', 'verify'], false);
  await check('HMAC', async () => [await subtle.sign('HMAC', hidden, Buffer.from('a')), await subtle.verify('HMAC', hidden, await subtle.sign('HMAC', hidden, Buffer.from('a')), Buffer.from('a')),
    await subtle.verify('HMAC', hidden, new Uint8Array(32), Buffer.from('a')), await subtle.verify('HMAC', hidden, new Uint8Array(3), Buffer.from('a'))]);
  await check('keys elsewhere', () => [require('util').types.isCryptoKey(hidden), require('util').types.isKeyObject(hidden), crypto.createHmac('sha256', hidden).update('a').digest('hex'), crypto.KeyObject.from(hidden).type, hidden instanceof CryptoKey, String(hidden), String(subtle)]);
  await check('names', () => [crypto.subtle === subtle, crypto.webcrypto.subtle === subtle, subtle.sign.name, typeof crypto.getRandomValues, Object.getOwnPropertyNames(SubtleCrypto.prototype)]);
  await check('constructors', () => new CryptoKey());
  await check('promises', () => { const made = subtle.digest(); made.catch(() => {}); return made instanceof Promise; });
  await check('key is read-only', () => { 'use strict'; hidden.extractable = true; return hidden.extractable; });
  await check('generateKeySync', () => [crypto.generateKeySync('aes', { length: 192 }).export().length, crypto.generateKeySync('hmac', { length: 65 }).symmetricKeySize]);
  for (const [type, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['ec', { namedCurve: 'secp521r1' }], ['ed25519', undefined]]) {
    await check('generateKeyPair ' + type + JSON.stringify(options), () => {
      const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
      const signed = crypto.sign(null, Buffer.from('a'), privateKey);
      return [publicKey.type, privateKey.type, privateKey.asymmetricKeyType, crypto.createPublicKey(privateKey).equals(publicKey), crypto.verify(null, Buffer.from('a'), publicKey, signed)];
    });
  }
  await check('generateKeyPair in PEM', () => new Promise((resolve, reject) => {
    crypto.generateKeyPair('ec', { namedCurve: 'P-384', publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } },
      (error, publicKey, privateKey) => (error ? reject(error) : resolve([publicKey.slice(0, 26), privateKey.slice(0, 27), crypto.createPrivateKey(privateKey).type])));
  }));
  await check('generateKeyPair by promisify', async () => Object.keys(await require('util').promisify(crypto.generateKeyPair)('ec', { namedCurve: 'P-256' })));
  await check('generateKeyPair without options', async () => Object.keys(await require('util').promisify(crypto.generateKeyPair)('ed25519')));
  await check('ECDH of all bits', async () => { const p = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']); return (await subtle.deriveBits({ name: 'ECDH', public: p.publicKey }, p.privateKey)).byteLength; });
  await check('generateKeyPair of unknown type', () => crypto.generateKeyPairSync('foo', {}));
  await check('generateKeyPair of unknown curve', () => crypto.generateKeyPairSync('ec', { namedCurve: 'foo' }));
  await check('generateKeyPair of odd size', () => crypto.generateKeyPairSync('rsa', { modulusLength: 'a' }));
  await check('diffieHellman', () => {
    const mine = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const secret = crypto.diffieHellman({ privateKey: mine.privateKey, publicKey: other.publicKey });
    return [secret.length, secret.equals(crypto.diffieHellman({ privateKey: other.privateKey, publicKey: mine.publicKey }))];
  });
  await check('diffieHellman of RSA', () => { const pair = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }); return crypto.diffieHellman({ privateKey: pair.privateKey, publicKey: crypto.createPublicKey({ key: RSA, format: 'jwk' }) }); });
  await check('diffieHellman of text', () => crypto.diffieHellman({ privateKey: 'a', publicKey: 'b' }));
}

async function worded(name, run) {
  await check(name, () => run().then(() => 'no error', (e) => [e.name, e.code, e.message]));
}

async function ranges() {
  const data = new Uint8Array(4);
  const gcm = await secret('AES-GCM', 16, ['encrypt', 'decrypt']);
  const ctr = await secret('AES-CTR', 16, ['encrypt']);
  for (const tagLength of [-1, 5, 256, 1000, NaN, 'a', 96.5]) {
    await worded('tag of ' + tagLength, () => subtle.encrypt({ ...GCM, tagLength }, gcm, data));
  }
  for (const length of [-1, 0, 129, 300, undefined]) {
    await worded('counter of ' + length, () => subtle.encrypt({ name: 'AES-CTR', counter: new Uint8Array(16), length }, ctr, data));
  }
  for (const length of [-1, 100, 70000, Infinity, undefined]) {
    await worded('AES of ' + length, () => subtle.generateKey({ name: 'AES-GCM', length }, true, ['encrypt']));
  }
  await worded('HMAC of -1', () => subtle.generateKey({ name: 'HMAC', hash: 'SHA-1', length: -1 }, true, ['sign']));
  await worded('HMAC without hash', () => subtle.generateKey({ name: 'HMAC' }, true, ['sign']));
  await worded('import without hash', () => secret('HMAC', 8, ['sign']));
  await worded('vector is missing', () => subtle.encrypt({ name: 'AES-GCM' }, gcm, data));
  await worded('vector is text', () => subtle.encrypt({ name: 'AES-GCM', iv: 'a' }, gcm, data));
  await worded('name is missing', () => subtle.encrypt({}, gcm, data));
  await worded('curve is missing', () => subtle.generateKey({ name: 'ECDSA' }, true, ['sign']));
  const exponent = new Uint8Array([1, 0, 1]);
  for (const modulusLength of [-1, 2 ** 32, 100, undefined]) {
    await worded('RSA of ' + modulusLength, () => subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength, publicExponent: exponent }, true, ['sign']));
  }
  const pair = await subtle.generateKey({ name: 'RSA-PSS', hash: 'SHA-256', modulusLength: 1024, publicExponent: exponent }, true, ['sign', 'verify']);
  for (const saltLength of [-1, 1000, 2 ** 32, undefined]) {
    await worded('salt of ' + saltLength, () => subtle.sign({ name: 'RSA-PSS', saltLength }, pair.privateKey, data));
  }
  const password = await secret('PBKDF2', 8, ['deriveBits'], false);
  for (const iterations of [-1, 0, 2 ** 33, NaN, undefined]) {
    await worded('iterations of ' + iterations, () => subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt: data, iterations }, password, 8));
  }
  const key = await secret('HKDF', 8, ['deriveBits'], false);
  for (const length of [7, null, 8 * 256 * 32, -8]) {
    await worded('bits of ' + length, () => subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt: data, info: data }, key, length));
  }
  await worded('salt is missing', () => subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', info: data }, key, 8));
}

module.exports = async () => {
  for (const part of [digests, imports, exports, ciphers, rsa, curves, derived, wrapped, ranges, beside]) {
    await part();
  }
  return { body: results };
};
