var crypto = require('crypto');
var stream = require('stream');
var results = {};
var done = Promise.resolve();
var KEY = Buffer.alloc(32, 7);
var IV = Buffer.alloc(16, 9);

function check(name, run) {
  done = done.then(run).then(
      function (value) { results[name] = value; },
      function (e) { results[name] = 'throws ' + e.name + ': ' + e.message; });
}

function collected(readable) {
  return new Promise(function (resolve, reject) {
    var chunks = [];
    readable.on('data', function (chunk) { chunks.push(chunk); });
    readable.on('end', function () { resolve(typeof chunks[0] === 'string' ? chunks.join('') : Buffer.concat(chunks).toString('hex')); });
    readable.on('error', reject);
  });
}

function written(target) {
  target.write('ab');
  target.write(Buffer.from('c'));
  target.end('d');
  return target;
}

function keys() {
  return crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

check('hash read', function () {
  var hash = crypto.createHash('sha256');
  hash.setEncoding('hex');
  hash.write('ab');
  hash.end('cd');
  return [hash.read(), hash.read()];
});
check('hash on readable', function () {
  var hash = crypto.createHash('md5');
  return new Promise(function (resolve) {
    hash.on('readable', function () {
      var digest = hash.read();
      if (digest) {
        resolve(digest.toString('hex'));
      }
    });
    written(hash);
  });
});
check('hash in pieces', function () { return collected(written(crypto.createHash('sha1').update('before'))); });
check('hmac', function () { return collected(written(crypto.createHmac('sha256', KEY))); });
check('piped', function () { return collected(stream.Readable.from(['a', 'b']).pipe(crypto.createHash('sha512'))); });
check('encodings', function () {
  var hash = crypto.createHash('sha256');
  hash.write('616263', 'hex');
  hash.end();
  return hash.read().toString('hex');
});
check('digest after end', function () {
  return new Promise(function (resolve) {
    var hash = written(crypto.createHash('sha256'));
    hash.on('end', function () { resolve(hash.digest('hex')); });
    hash.resume();
  });
});
check('classes', function () {
  var hash = crypto.createHash('sha256');
  return [hash.update('x').digest('hex'), typeof hash.pipe, hash instanceof stream.Transform, typeof crypto.createSign('sha256').end];
});
check('cipher', function () { return collected(written(crypto.createCipheriv('aes-256-cbc', KEY, IV))); });
check('both', function () {
  var encrypted = written(crypto.createCipheriv('aes-256-ctr', KEY, IV));
  var decrypted = encrypted.pipe(crypto.createDecipheriv('aes-256-ctr', KEY, IV));
  decrypted.setEncoding('utf8');
  return collected(decrypted);
});
check('pipeline', function () {
  var chunks = [];
  var target = new stream.Writable({ write: function (chunk, encoding, next) { chunks.push(chunk.toString('hex')); next(); } });
  return stream.promises.pipeline(stream.Readable.from([Buffer.alloc(40, 1), Buffer.alloc(9, 2)]), crypto.createCipheriv('aes-256-gcm', KEY, IV), target)
      .then(function () { return chunks.join(''); });
});
check('tag after end', function () {
  var cipher = crypto.createCipheriv('aes-256-gcm', KEY, IV);
  return collected(written(cipher)).then(function (text) { return [text, cipher.getAuthTag().toString('hex')]; });
});
check('wrong padding', function () {
  var decipher = crypto.createDecipheriv('aes-256-cbc', KEY, IV);
  decipher.end(Buffer.alloc(5));
  return new Promise(function (resolve) { decipher.on('error', function (e) { resolve(e instanceof Error); }); });
});
check('sign and verify', function () {
  var pair = keys();
  var sign = crypto.createSign('SHA256');
  sign.write('ab');
  sign.end('cd');
  var verify = crypto.createVerify('SHA256');
  verify.update('ab');
  verify.write('cd');
  verify.end();
  return verify.verify(pair.publicKey, sign.sign(pair.privateKey));
});
check('finish', function () {
  var sign = crypto.createSign('SHA256');
  return new Promise(function (resolve) { sign.once('finish', function () { resolve(typeof sign.sign); }).end('x'); });
});
check('piped to sign', function () {
  var pair = keys();
  var sign = crypto.createSign('SHA256');
  return stream.promises.pipeline(stream.Readable.from(['a', 'b']), sign).then(function () {
    return crypto.verify('SHA256', Buffer.from('ab'), pair.publicKey, sign.sign(pair.privateKey));
  });
});

module.exports = function () {
  return done.then(function () { return { body: results }; });
};
