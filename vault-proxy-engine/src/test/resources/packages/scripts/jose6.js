const jose = require('jose6');
const text = (s) => new TextEncoder().encode(s);
const key = text('0123456789abcdef0123456789abcdef');
module.exports = async () => {
  const jwt = await new jose.SignJWT({ a: 1 }).setProtectedHeader({ alg: 'HS256' }).setIssuedAt(1).setIssuer('i').sign(key);
  const verified = await jose.jwtVerify(jwt, key, { issuer: 'i' });
  let failed;
  try { await jose.jwtVerify(jwt.slice(0, -3) + 'abc', key); } catch (e) { failed = [e.code, e.message]; }
  const results = [jwt, verified.payload, verified.protectedHeader, failed, jose.decodeJwt(jwt), await jose.calculateJwkThumbprint({ kty: 'oct', k: 'aGk' })];
  for (const alg of ['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA', 'Ed25519']) {
    const { publicKey, privateKey } = await jose.generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
    const signed = await new jose.CompactSign(text('x')).setProtectedHeader({ alg }).sign(privateKey);
    const again = await jose.importJWK(await jose.exportJWK(publicKey), alg);
    const pkcs8 = await jose.importPKCS8(await jose.exportPKCS8(privateKey), alg);
    const spki = await jose.importSPKI(await jose.exportSPKI(publicKey), alg);
    results.push([alg, Buffer.from((await jose.compactVerify(signed, again)).payload).toString(), pkcs8.type, spki.type]);
  }
  for (const alg of ['RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A256KW', 'A128KW', 'A256GCMKW', 'PBES2-HS256+A128KW', 'dir']) {
    for (const enc of ['A256GCM', 'A128CBC-HS256']) {
      let pair;
      if (alg.startsWith('A') || alg === 'dir') {
        const size = alg === 'A128KW' ? 16 : 32;
        pair = { publicKey: key.slice(0, size), privateKey: key.slice(0, size) };
      } else if (alg.startsWith('PBES2')) {
        pair = { publicKey: text('secret'), privateKey: text('secret') };
      } else {
        pair = await jose.generateKeyPair(alg, { crv: 'P-256' });
      }
      const encrypted = await new jose.CompactEncrypt(text('4242')).setProtectedHeader({ alg, enc }).encrypt(pair.publicKey);
      const decrypted = await jose.compactDecrypt(encrypted, pair.privateKey, { keyManagementAlgorithms: [alg] });
      results.push([alg, enc, encrypted.split('.').length, Buffer.from(decrypted.plaintext).toString()]);
    }
  }
  return { body: results };
};
