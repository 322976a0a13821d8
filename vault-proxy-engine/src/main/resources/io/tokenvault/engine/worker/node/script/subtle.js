// crypto.subtle and CryptoKey: the Web Cryptography API over the functions of the module crypto.
(function (host, load) {
  'use strict';
  var CIPHER = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
  var SIGNATURE = { private: ['sign'], public: ['verify'] };
  var DERIVATION = ['deriveKey', 'deriveBits'];

  // The algorithms: the kind of their keys, and the permitted usages by type of key.
  var ALGORITHMS = {
    'AES-CBC': { kind: 'aes', secret: CIPHER },
    'AES-CTR': { kind: 'aes', secret: CIPHER },
    'AES-GCM': { kind: 'aes', secret: CIPHER },
    'AES-KW': { kind: 'aes', secret: ['wrapKey', 'unwrapKey'] },
    HMAC: { kind: 'hmac', secret: ['sign', 'verify'] },
    'RSASSA-PKCS1-v1_5': { kind: 'rsa', private: SIGNATURE.private, public: SIGNATURE.public },
    'RSA-PSS': { kind: 'rsa', private: SIGNATURE.private, public: SIGNATURE.public },
    'RSA-OAEP': { kind: 'rsa', private: ['decrypt', 'unwrapKey'], public: ['encrypt', 'wrapKey'] },
    ECDSA: { kind: 'ec', private: SIGNATURE.private, public: SIGNATURE.public },
    ECDH: { kind: 'ec', private: DERIVATION, public: [] },
    Ed25519: { kind: 'ed25519', private: SIGNATURE.private, public: SIGNATURE.public },
    HKDF: { kind: 'derivation', secret: DERIVATION },
    PBKDF2: { kind: 'derivation', secret: DERIVATION }
  };
  var USAGES = CIPHER.concat('sign', 'verify', DERIVATION);
  var FORMATS = ['raw', 'jwk', 'pkcs8', 'spki'];

  // The hash functions: their names in the module crypto and the bytes of their blocks.
  var HASHES = {
    'SHA-1': { name: 'sha1', block: 64 },
    'SHA-256': { name: 'sha256', block: 64 },
    'SHA-384': { name: 'sha384', block: 128 },
    'SHA-512': { name: 'sha512', block: 128 }
  };
  var CURVES = {
    'P-256': { bytes: 32, openSsl: 'prime256v1' },
    'P-384': { bytes: 48, openSsl: 'secp384r1' },
    'P-521': { bytes: 66, openSsl: 'secp521r1' }
  };
  var ECDSA_NAMES = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
  var JWK_NAMES = { 'RSASSA-PKCS1-v1_5': 'RS', 'RSA-PSS': 'PS', HMAC: 'HS' };
  // The names of the parameters of operations, by algorithm, and of those of new and imported keys, by kind.
  var OPERATIONS = {
    'AES-CBC': 'AesCbcParams', 'AES-CTR': 'AesCtrParams', 'AES-GCM': 'AesGcmParams', 'RSA-OAEP': 'RsaOaepParams',
    'RSA-PSS': 'RsaPssParams', ECDSA: 'EcdsaParams', ECDH: 'EcdhKeyDeriveParams', HKDF: 'HkdfParams', PBKDF2: 'Pbkdf2Params'
  };
  var GENERATION = { aes: 'AesKeyGenParams', hmac: 'HmacKeyGenParams', rsa: 'RsaHashedKeyGenParams', ec: 'EcKeyGenParams' };
  var IMPORT = { hmac: 'HmacImportParams', rsa: 'RsaHashedImportParams', ec: 'EcKeyImportParams' };
  var OCTET = 0xff;
  var SHORT = 0xffff;
  var LONG = 0xffffffff;
  var TAG_BITS = [32, 64, 96, 104, 112, 120, 128];
  var Buffer = globalThis.Buffer;
  var AES_BITS = [128, 192, 256];
  var FUNCTIONS = ('createCipheriv createDecipheriv createHash createHmac createPrivateKey createPublicKey createSecretKey'
      + ' diffieHellman generateKeyPairSync hkdfSync pbkdf2Sync privateDecrypt publicEncrypt randomBytes sign timingSafeEqual'
      + ' verify KeyObject constants').split(' ');

  // The functions of the module crypto, and the one that makes a CryptoKey; set by "create".
  var crypto = {};
  var makeKey;

  function failure(name, message) {
    return new (load('abort').DOMException)(message, name);
  }

  function typeError(code, message) {
    var error = new TypeError(message);
    error.code = code;
    return error;
  }

  function missing(dictionary, name) {
    return typeError('ERR_MISSING_OPTION', "Failed to normalize algorithm: passed algorithm can not be converted to '" + dictionary
        + "' because '" + name + "' is required in '" + dictionary + "'.");
  }

  // Returns the known name that an algorithm, or its property "name", has in any case.
  function knownName(known, algorithm) {
    var isObject = algorithm !== null && typeof algorithm === 'object';
    var given = isObject ? algorithm.name : algorithm;
    if (isObject && given === undefined) {
      throw missing('Algorithm', 'name');
    }
    var name = Object.keys(known).filter(function (each) {
      return each.toLowerCase() === String(given).toLowerCase();
    })[0];
    if (!name) {
      throw failure('NotSupportedError', 'Unrecognized algorithm name');
    }
    return name;
  }

  // Returns the name of an algorithm, and its parameters, whose names are in one of the tables.
  function normalized(algorithm, names) {
    var name = knownName(ALGORITHMS, algorithm);
    var kind = ALGORITHMS[name].kind;
    return { name: name, kind: kind, dictionary: names[name] || names[kind], parameters: typeof algorithm === 'string' ? {} : algorithm };
  }

  function parameter(algorithm, name) {
    var value = algorithm.parameters[name];
    if (value === undefined) {
      throw missing(algorithm.dictionary, name);
    }
    return value;
  }

  // How messages name a parameter.
  function place(algorithm, name) {
    return "Failed to normalize algorithm: '" + name + "' of '" + algorithm.dictionary + "' (passed algorithm)";
  }

  // Returns a parameter that is an integer from zero, up to the greatest one.
  function whole(algorithm, name, greatest) {
    var number = Number(parameter(algorithm, name));
    if (!isFinite(number)) {
      throw typeError('ERR_INVALID_ARG_TYPE', place(algorithm, name) + ' is not a finite number.');
    }
    if (Math.trunc(number) < 0 || number >= greatest + 1) {
      throw typeError('ERR_OUT_OF_RANGE', place(algorithm, name) + ' is outside the expected range of 0 to ' + greatest + '.');
    }
    return Math.trunc(number);
  }

  // Returns a view of the bytes of a parameter.
  function bytes(algorithm, name) {
    return viewOf(parameter(algorithm, name), place(algorithm, name));
  }

  // Returns the hash function that an algorithm needs as a parameter.
  function hashParameter(algorithm) {
    return HASHES[knownName(HASHES, parameter(algorithm, 'hash'))];
  }

  // Returns the name of the hash function of a key in the module crypto.
  function hashOf(key) {
    return HASHES[key.algorithm.hash.name].name;
  }

  // Returns a view of the bytes of an argument.
  function viewOf(value, what) {
    if (value instanceof ArrayBuffer) {
      return new Uint8Array(value);
    }
    if (!ArrayBuffer.isView(value)) {
      throw typeError('ERR_INVALID_ARG_TYPE', what + ' is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
    }
    return value;
  }

  // Returns options that inherit nothing, so that a script's change of Object.prototype does not apply to them.
  function ownOptions(options) {
    return Object.assign(Object.create(null), options);
  }

  function checkFormat(format) {
    if (FORMATS.indexOf(format) < 0) {
      throw typeError('ERR_INVALID_ARG_VALUE', "'" + format + "' is not a valid enum value of type KeyFormat.");
    }
  }

  function CryptoKey() {
    throw typeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }
  Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true });

  function SubtleCrypto() {
    throw typeError('ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
  }
  Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { value: 'SubtleCrypto', configurable: true });

  // Methods return promises and never throw.
  function method(name, arity, body) {
    var made = function () {
      var values = arguments;
      return new Promise(function (resolve) {
        if (values.length < arity) {
          throw typeError('ERR_MISSING_ARGS', "Failed to execute '" + name + "' on 'SubtleCrypto': " + arity + ' arguments required, but only ' + values.length + ' present.');
        }
        resolve(body.apply(null, values));
      });
    };
    Object.defineProperty(made, 'name', { value: name, configurable: true });
    Object.defineProperty(SubtleCrypto.prototype, name, { value: made, writable: true, enumerable: true, configurable: true });
  }

  function cryptoKey(keyObject, algorithm, extractable, usages) {
    var key = makeKey(keyObject, CryptoKey.prototype);
    var values = {
      type: keyObject.type,
      extractable: !!extractable,
      algorithm: algorithm,
      usages: usages
    };
    Object.keys(values).forEach(function (name) {
      Object.defineProperty(key, name, { value: values[name], enumerable: true });
    });
    return key;
  }

  function checkUsages(algorithm, type, usages) {
    usages.forEach(function (usage) {
      if (USAGES.indexOf(usage) < 0) {
        throw typeError('ERR_INVALID_ARG_VALUE', "'" + usage + "' is not a valid enum value of type KeyUsage.");
      }
      if (ALGORITHMS[algorithm.name][type].indexOf(usage) < 0) {
        throw failure('SyntaxError', 'Unsupported key usage for ' + algorithm.name + ' key');
      }
    });
    if (type !== 'public' && usages.length === 0) {
      throw failure('SyntaxError', 'Usages cannot be empty when importing a ' + type + ' key.');
    }
  }

  function checkKey(key) {
    if (!(key instanceof CryptoKey)) {
      throw typeError('ERR_INVALID_ARG_TYPE', 'The key is not of type CryptoKey.');
    }
  }

  // Checks that a key may be used, and returns the algorithm.
  function permitted(algorithm, key, usage) {
    var wanted = normalized(algorithm, OPERATIONS);
    checkKey(key);
    if (key.algorithm.name !== wanted.name) {
      throw failure('InvalidAccessError', 'The requested operation is not valid for the provided key');
    }
    if (key.usages.indexOf(usage) < 0) {
      throw failure('InvalidAccessError', 'Unable to use this key to ' + usage);
    }
    return wanted;
  }

  // Calls a function of the module crypto, whose errors have no details here.
  function operation(body) {
    try {
      return arrayBuffer(body());
    } catch (e) {
      throw failure('OperationError', 'The operation failed for an operation-specific reason');
    }
  }

  // Returns the bytes of a view as an ArrayBuffer, and any other value as it is.
  function arrayBuffer(buffer) {
    return buffer instanceof Uint8Array ? buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength) : buffer;
  }

  // ---- keys

  function secretAlgorithm(algorithm, length) {
    if (algorithm.kind === 'hmac') {
      return { name: algorithm.name, hash: { name: knownName(HASHES, parameter(algorithm, 'hash')) }, length: length };
    }
    return algorithm.kind === 'aes' ? { name: algorithm.name, length: length } : { name: algorithm.name };
  }

  // Returns the description of a private or public key, which must be of the right kind.
  function pairAlgorithm(algorithm, key) {
    if (key.asymmetricKeyType !== algorithm.kind) {
      throw failure('DataError', 'Invalid key type');
    }
    if (algorithm.kind === 'rsa') {
      var details = key.asymmetricKeyDetails;
      return {
        name: algorithm.name,
        modulusLength: details.modulusLength,
        publicExponent: new Uint8Array(Buffer.from(key.export({ format: 'jwk' }).e, 'base64')),
        hash: { name: knownName(HASHES, parameter(algorithm, 'hash')) }
      };
    }
    if (algorithm.kind === 'ec') {
      var curve = curveOf(algorithm);
      if (CURVES[curve].openSsl !== key.asymmetricKeyDetails.namedCurve) {
        throw failure('DataError', 'Named curve mismatch');
      }
      return { name: algorithm.name, namedCurve: curve };
    }
    return { name: algorithm.name };
  }

  function curveOf(algorithm) {
    var curve = parameter(algorithm, 'namedCurve');
    if (!Object.prototype.hasOwnProperty.call(CURVES, curve)) {
      throw failure('NotSupportedError', 'Unrecognized namedCurve');
    }
    return curve;
  }

  function importKey(format, data, algorithm, extractable, usages) {
    checkFormat(format);
    var wanted = normalized(algorithm, IMPORT);
    var list = Array.from(usages);
    if (format === 'jwk') {
      checkJwk(wanted, data, extractable, list);
    }
    return ALGORITHMS[wanted.name].secret
      ? importSecret(format, data, wanted, extractable, list)
      : importPair(format, data, wanted, extractable, list);
  }

  function importSecret(format, data, algorithm, extractable, usages) {
    if (format !== 'raw' && (format !== 'jwk' || algorithm.kind === 'derivation')) {
      throw failure('NotSupportedError', 'Unable to import ' + algorithm.name + ' key with format ' + format);
    }
    var secret = format === 'raw' ? Buffer.from(copied(data)) : Buffer.from(data.k, 'base64');
    checkUsages(algorithm, 'secret', usages);
    if (algorithm.kind === 'derivation' && extractable) {
      throw failure('SyntaxError', algorithm.name + ' keys are not extractable');
    }
    var wantedBits = algorithm.kind === 'hmac' ? algorithm.parameters.length : undefined;
    var fits = algorithm.kind === 'aes' ? AES_BITS.indexOf(8 * secret.length) >= 0 : algorithm.kind !== 'hmac' || secret.length > 0;
    if (!fits || (wantedBits !== undefined && wantedBits !== 8 * secret.length)) {
      throw failure('DataError', 'Invalid key length');
    }
    var description = secretAlgorithm(algorithm, secret.length * 8);
    checkJwkAlgorithm(format, data, description);
    return cryptoKey(crypto.createSecretKey(secret), description, extractable, usages);
  }

  // Returns a copy of the bytes of an argument as an ArrayBuffer.
  function copied(data) {
    var view = viewOf(data, 'The data');
    return view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  }

  function importPair(format, data, algorithm, extractable, usages) {
    var key;
    try {
      key = readPair(format, data, algorithm);
    } catch (e) {
      if (e instanceof load('abort').DOMException || (format !== 'jwk' && e.code === 'ERR_INVALID_ARG_TYPE')) {
        throw e;
      }
      throw failure('DataError', 'Invalid keyData');
    }
    checkUsages(algorithm, key.type, usages);
    var description = pairAlgorithm(algorithm, key);
    checkJwkAlgorithm(format, data, description);
    return cryptoKey(key, description, extractable, usages);
  }

  function readPair(format, data, algorithm) {
    if (format === 'pkcs8') {
      return crypto.createPrivateKey({ key: Buffer.from(copied(data)), format: 'der', type: 'pkcs8' });
    }
    if (format === 'spki') {
      return crypto.createPublicKey({ key: Buffer.from(copied(data)), format: 'der', type: 'spki' });
    }
    if (format === 'jwk') {
      return data.d === undefined
        ? crypto.createPublicKey({ key: data, format: 'jwk' })
        : crypto.createPrivateKey({ key: data, format: 'jwk' });
    }
    return crypto.createPublicKey({ key: rawPublic(Buffer.from(copied(data)), algorithm), format: 'jwk' });
  }

  // Returns the JWK of a public key of a curve: an uncompressed point, or the key of Ed25519.
  function rawPublic(raw, algorithm) {
    if (algorithm.kind === 'ed25519') {
      return { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
    }
    if (algorithm.kind !== 'ec') {
      throw failure('NotSupportedError', 'Unable to import ' + algorithm.name + ' key with format raw');
    }
    var curve = curveOf(algorithm);
    var size = CURVES[curve].bytes;
    if (raw.length !== 1 + 2 * size || raw[0] !== 4) {
      throw failure('DataError', 'Invalid keyData');
    }
    return { kty: 'EC', crv: curve, x: raw.toString('base64url', 1, 1 + size), y: raw.toString('base64url', 1 + size) };
  }

  // Checks the members of a JWK that restrict its use: RFC 7517, section 4.
  function checkJwk(algorithm, jwk, extractable, usages) {
    if (jwk === null || typeof jwk !== 'object') {
      throw typeError('ERR_INVALID_ARG_TYPE', 'The key can not be converted to a dictionary');
    }
    var types = { rsa: 'RSA', ec: 'EC', ed25519: 'OKP' };
    if (jwk.kty !== (types[algorithm.kind] || 'oct')) {
      throw failure('DataError', 'Invalid JWK "kty" Parameter');
    }
    if (jwk.kty === 'oct' && typeof jwk.k !== 'string') {
      throw failure('DataError', 'Invalid keyData');
    }
    var signs = usages.indexOf('sign') >= 0 || usages.indexOf('verify') >= 0;
    if (usages.length > 0 && jwk.use !== undefined && jwk.use !== (signs ? 'sig' : 'enc')) {
      throw failure('DataError', 'Invalid JWK "use" Parameter');
    }
    if (jwk.ext === false && extractable) {
      throw failure('DataError', 'JWK "ext" Parameter and extractable mismatch');
    }
    usages.forEach(function (usage) {
      if (jwk.key_ops !== undefined && jwk.key_ops.indexOf(usage) < 0) {
        throw failure('DataError', 'Key operations and usage mismatch');
      }
    });
  }

  function checkJwkAlgorithm(format, jwk, description) {
    var name = description.name === 'ECDSA' ? ECDSA_NAMES[description.namedCurve] : jwkAlgorithm(description);
    var given = jwk.alg === 'EdDSA' && name === 'Ed25519' ? name : jwk.alg;
    if (format === 'jwk' && given !== undefined && name !== undefined && given !== name) {
      throw failure('DataError', 'JWK "alg" does not match the requested algorithm');
    }
  }

  // Returns the name of an algorithm in a JWK as the Web Cryptography API gives it.
  function jwkAlgorithm(description) {
    var name = description.name;
    if (name.indexOf('AES-') === 0) {
      return 'A' + description.length + name.slice('AES-'.length);
    }
    if (name === 'Ed25519') {
      return name;
    }
    var hash = description.hash && description.hash.name.slice('SHA-'.length);
    if (name === 'RSA-OAEP') {
      return hash === '1' ? name : name + '-' + hash;
    }
    return JWK_NAMES[name] && JWK_NAMES[name] + hash;
  }

  function exportKey(format, key) {
    checkFormat(format);
    checkKey(key);
    if (!key.extractable) {
      throw failure('InvalidAccessException', 'key is not extractable');
    }
    var keyObject = crypto.KeyObject.from(key);
    if (format === 'jwk') {
      var name = jwkAlgorithm(key.algorithm);
      var jwk = Object.assign({ key_ops: key.usages, ext: true }, keyObject.export({ format: 'jwk' }));
      return name === undefined ? jwk : Object.assign(jwk, { alg: name });
    }
    var curve = key.algorithm.namedCurve !== undefined || key.algorithm.name === 'Ed25519';
    if (format === 'raw' && key.type === 'secret') {
      return arrayBuffer(keyObject.export());
    }
    if (format === 'raw' && key.type === 'public' && curve) {
      return exportPoint(keyObject.export({ format: 'jwk' }));
    }
    if (format !== { private: 'pkcs8', public: 'spki' }[key.type]) {
      throw failure('InvalidAccessError', 'Unable to export a ' + format + ' ' + key.algorithm.name + ' ' + key.type + ' key');
    }
    return arrayBuffer(keyObject.export({ format: 'der', type: format }));
  }

  function exportPoint(jwk) {
    var x = Buffer.from(jwk.x, 'base64');
    return arrayBuffer(jwk.y === undefined ? x : Buffer.concat([Buffer.from([4]), x, Buffer.from(jwk.y, 'base64')]));
  }

  function generateKey(algorithm, extractable, usages) {
    var wanted = normalized(algorithm, GENERATION);
    var list = Array.from(usages);
    if (wanted.kind === 'derivation') {
      throw failure('NotSupportedError', 'Unrecognized algorithm name');
    }
    if (ALGORITHMS[wanted.name].secret) {
      checkUsages(wanted, 'secret', list);
      var length = secretLength(wanted);
      var secret = crypto.createSecretKey(crypto.randomBytes(Math.ceil(length / 8)));
      return cryptoKey(secret, secretAlgorithm(wanted, length), extractable, list);
    }
    return generatePair(wanted, extractable, list);
  }

  // Returns the length of a new key in bits: that of a block for HMAC.
  function secretLength(algorithm) {
    if (algorithm.kind === 'hmac') {
      if (algorithm.parameters.length === undefined) {
        return 8 * hashParameter(algorithm).block;
      }
      var length = whole(algorithm, 'length', LONG);
      if (length === 0 || length % 8 !== 0) {
        throw failure('OperationError', 'The length of an HMAC key must be a positive multiple of 8 bits');
      }
      return length;
    }
    if (algorithm.kind !== 'aes') {
      return null;
    }
    var bits = whole(algorithm, 'length', SHORT);
    if (AES_BITS.indexOf(bits) < 0) {
      throw failure('OperationError', 'AES key length must be 128, 192, or 256 bits');
    }
    return bits;
  }

  function generatePair(algorithm, extractable, usages) {
    var permittedUsages = ALGORITHMS[algorithm.name];
    function part(type) {
      return permittedUsages[type].filter(function (usage) {
        return usages.indexOf(usage) >= 0;
      });
    }
    if (part('private').length + part('public').length < new Set(usages).size) {
      throw failure('SyntaxError', 'Unsupported key usage for ' + algorithm.name + ' key');
    }
    if (part('private').length === 0) {
      throw failure('SyntaxError', 'Usages cannot be empty when creating a key.');
    }
    var options = pairOptions(algorithm);
    var pair = operation(function () {
      return crypto.generateKeyPairSync(algorithm.kind, options);
    });
    var description = pairAlgorithm(algorithm, pair.publicKey);
    return {
      publicKey: cryptoKey(pair.publicKey, description, true, part('public')),
      privateKey: cryptoKey(pair.privateKey, description, extractable, part('private'))
    };
  }

  function pairOptions(algorithm) {
    if (algorithm.kind === 'rsa') {
      knownName(HASHES, parameter(algorithm, 'hash'));
      return {
        modulusLength: whole(algorithm, 'modulusLength', LONG),
        publicExponent: parseInt(Buffer.from(parameter(algorithm, 'publicExponent')).toString('hex'), 16)
      };
    }
    return algorithm.kind === 'ec' ? { namedCurve: curveOf(algorithm) } : {};
  }

  // ---- operations

  // Encrypts or decrypts with a key whose usage was checked.
  function encryptOrDecrypt(algorithm, key, data, encrypts) {
    if (algorithm.name === 'RSA-OAEP') {
      var options = ownOptions({ key: key, padding: crypto.constants.RSA_PKCS1_OAEP_PADDING, oaepHash: hashOf(key) });
      if (algorithm.parameters.label !== undefined) {
        options.oaepLabel = bytes(algorithm, 'label');
      }
      return operation(function () {
        return encrypts ? crypto.publicEncrypt(options, data) : crypto.privateDecrypt(options, data);
      });
    }
    return algorithm.name === 'AES-GCM' ? gcm(algorithm, key, data, encrypts) : cbcOrCtr(algorithm, key, data, encrypts);
  }

  function cipherOf(key, mode, vector, options, encrypts) {
    var name = 'aes-' + key.algorithm.length + '-' + mode;
    return encrypts ? crypto.createCipheriv(name, key, vector, options) : crypto.createDecipheriv(name, key, vector, options);
  }

  function finished(cipher, data) {
    return Buffer.concat([cipher.update(data), cipher.final()]);
  }

  function cbcOrCtr(algorithm, key, data, encrypts) {
    var cbc = algorithm.name === 'AES-CBC';
    var name = cbc ? 'iv' : 'counter';
    var vector = bytes(algorithm, name);
    if (vector.byteLength !== 16) {
      throw failure('OperationError', 'algorithm.' + name + ' must contain exactly 16 bytes');
    }
    if (!cbc) {
      checkCounter(whole(algorithm, 'length', OCTET), vector, data);
    }
    return operation(function () {
      return finished(cipherOf(key, cbc ? 'cbc' : 'ctr', vector, undefined, encrypts), data);
    });
  }

  // The cipher counts with all 128 bits, so a shorter counter must not overflow, although it may in Node.js.
  function checkCounter(length, vector, data) {
    if (!(length > 0 && length <= 128)) {
      throw failure('OperationError', 'AES-CTR algorithm.length must be between 1 and 128');
    }
    if (length === 128) {
      return;
    }
    var start = BigInt('0x' + Buffer.from(copied(vector)).toString('hex')) % (BigInt(2) ** BigInt(length));
    if (start + BigInt(Math.ceil(data.byteLength / 16)) > BigInt(2) ** BigInt(length)) {
      throw failure('NotSupportedError', 'A counter that starts again at zero is not supported');
    }
  }

  function gcm(algorithm, key, data, encrypts) {
    var vector = bytes(algorithm, 'iv');
    var bits = algorithm.parameters.tagLength === undefined ? 128 : whole(algorithm, 'tagLength', OCTET);
    if (TAG_BITS.indexOf(bits) < 0) {
      throw failure('OperationError', bits + ' is not a valid AES-GCM tag length');
    }
    var extra = algorithm.parameters.additionalData === undefined ? new Uint8Array(0) : bytes(algorithm, 'additionalData');
    var end = data.byteLength - bits / 8;
    if (!encrypts && end < 0) {
      throw failure('OperationError', 'The provided data is too small.');
    }
    return operation(function () {
      var cipher = cipherOf(key, 'gcm', vector, ownOptions({ authTagLength: bits / 8 }), encrypts);
      cipher.setAAD(extra);
      if (encrypts) {
        return Buffer.concat([finished(cipher, data), cipher.getAuthTag()]);
      }
      var all = Buffer.from(copied(data));
      cipher.setAuthTag(all.slice(end));
      return finished(cipher, all.slice(0, end));
    });
  }

  function encrypt(algorithm, key, data) {
    var input = viewOf(data, 'The data');
    return encryptOrDecrypt(permitted(algorithm, key, 'encrypt'), key, input, true);
  }

  function decrypt(algorithm, key, data) {
    var input = viewOf(data, 'The data');
    return encryptOrDecrypt(permitted(algorithm, key, 'decrypt'), key, input, false);
  }

  // Returns the hash function and the options of a signature.
  function signature(algorithm, key) {
    if (algorithm.name === 'ECDSA') {
      var hash = hashParameter(algorithm).name;
      return { hash: hash, options: ownOptions({ key: key, dsaEncoding: 'ieee-p1363' }) };
    }
    if (algorithm.name === 'Ed25519') {
      return { hash: null, options: ownOptions({ key: key }) };
    }
    if (algorithm.name === 'RSA-PSS') {
      var salt = whole(algorithm, 'saltLength', LONG);
      return { hash: hashOf(key), options: ownOptions({ key: key, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: salt }) };
    }
    return { hash: hashOf(key), options: ownOptions({ key: key, padding: crypto.constants.RSA_PKCS1_PADDING }) };
  }

  function sign(algorithm, key, data) {
    var input = viewOf(data, 'The data');
    var wanted = permitted(algorithm, key, 'sign');
    if (wanted.name === 'HMAC') {
      return arrayBuffer(crypto.createHmac(hashOf(key), key).update(input).digest());
    }
    var made = signature(wanted, key);
    return operation(function () {
      return crypto.sign(made.hash, input, made.options);
    });
  }

  function verify(algorithm, key, signed, data) {
    var expected = Buffer.from(copied(signed));
    var input = viewOf(data, 'The data');
    var wanted = permitted(algorithm, key, 'verify');
    if (wanted.name === 'HMAC') {
      var actual = crypto.createHmac(hashOf(key), key).update(input).digest();
      return actual.length === expected.length && crypto.timingSafeEqual(actual, expected);
    }
    var made = signature(wanted, key);
    return operation(function () {
      return crypto.verify(made.hash, input, made.options, expected);
    });
  }

  function digest(algorithm, data) {
    var hash = knownName(HASHES, algorithm);
    return arrayBuffer(crypto.createHash(HASHES[hash].name).update(viewOf(data, 'The data')).digest());
  }

  // ---- derivation and wrapping

  function derive(algorithm, key, length) {
    if (algorithm.name === 'ECDH') {
      return agree(algorithm, key, length);
    }
    var salt = bytes(algorithm, 'salt');
    var hash = hashParameter(algorithm).name;
    var info = algorithm.name === 'HKDF' ? bytes(algorithm, 'info') : null;
    var rounds = info === null ? whole(algorithm, 'iterations', LONG) : null;
    if (rounds === 0) {
      throw failure('OperationError', 'iterations cannot be zero');
    }
    if (length === null || length === undefined) {
      throw failure('OperationError', 'length cannot be null');
    }
    var bits = length >>> 0;
    if (bits % 8 !== 0) {
      throw failure('OperationError', 'length must be a multiple of 8');
    }
    var secret = crypto.KeyObject.from(key).export();
    return operation(function () {
      return info === null
        ? crypto.pbkdf2Sync(secret, salt, rounds, bits / 8, hash)
        : crypto.hkdfSync(hash, secret, salt, info, bits / 8);
    });
  }

  function agree(algorithm, key, length) {
    var other = parameter(algorithm, 'public');
    checkKey(other);
    if (other.type !== 'public') {
      throw failure('InvalidAccessError', 'algorithm.public must be a public key');
    }
    if (other.algorithm.name !== 'ECDH' || other.algorithm.namedCurve !== key.algorithm.namedCurve) {
      throw failure('InvalidAccessError', 'Named curve mismatch');
    }
    var secret = operation(function () {
      return crypto.diffieHellman({ privateKey: crypto.KeyObject.from(key), publicKey: crypto.KeyObject.from(other) });
    });
    if (length === null || length === undefined) {
      return secret;
    }
    if (length > 8 * secret.byteLength) {
      throw failure('OperationError', 'derived bit length is too small');
    }
    var part = new Uint8Array(secret.slice(0, Math.ceil(length / 8)));
    if (length % 8 !== 0) {
      part[part.length - 1] &= 0xff << (8 - (length % 8));
    }
    return part.buffer;
  }

  function deriveBits(algorithm, key, length) {
    return derive(permitted(algorithm, key, 'deriveBits'), key, length);
  }

  function deriveKey(algorithm, key, derived, extractable, usages) {
    var wanted = permitted(algorithm, key, 'deriveKey');
    var target = normalized(derived, GENERATION);
    return importKey('raw', derive(wanted, key, secretLength(target)), derived, extractable, usages);
  }

  function keyWrap(key, data, wraps) {
    return operation(function () {
      return finished(cipherOf(key, 'wrap', Buffer.alloc(8, 0xa6), undefined, wraps), data);
    });
  }

  function wrapKey(format, key, wrappingKey, algorithm) {
    var wanted = permitted(algorithm, wrappingKey, 'wrapKey');
    var exported = exportKey(format, key);
    var data = format === 'jwk' ? Buffer.from(JSON.stringify(exported)) : new Uint8Array(exported);
    if (wanted.name !== 'AES-KW') {
      return encryptOrDecrypt(wanted, wrappingKey, data, true);
    }
    // The cipher takes multiples of eight bytes, and JSON may end with spaces.
    var padding = format === 'jwk' ? Buffer.alloc((8 - (data.length % 8)) % 8, ' ') : Buffer.alloc(0);
    return keyWrap(wrappingKey, Buffer.concat([data, padding]), true);
  }

  function unwrapKey(format, wrapped, unwrappingKey, algorithm, keyAlgorithm, extractable, usages) {
    var data = viewOf(wrapped, 'The wrapped key');
    var wanted = permitted(algorithm, unwrappingKey, 'unwrapKey');
    var unwrapped = wanted.name === 'AES-KW' ? keyWrap(unwrappingKey, data, false) : encryptOrDecrypt(wanted, unwrappingKey, data, false);
    if (format !== 'jwk') {
      return importKey(format, unwrapped, keyAlgorithm, extractable, usages);
    }
    var jwk;
    try {
      jwk = JSON.parse(Buffer.from(unwrapped).toString());
    } catch (e) {
      throw failure('DataError', 'Invalid wrapped JWK key');
    }
    return importKey(format, jwk, keyAlgorithm, extractable, usages);
  }

  method('encrypt', 3, encrypt);
  method('decrypt', 3, decrypt);
  method('sign', 3, sign);
  method('verify', 4, verify);
  method('digest', 2, digest);
  method('generateKey', 3, generateKey);
  method('deriveKey', 5, deriveKey);
  method('deriveBits', 2, deriveBits);
  method('importKey', 5, importKey);
  method('exportKey', 2, exportKey);
  method('wrapKey', 4, wrapKey);
  method('unwrapKey', 7, unwrapKey);

  return {
    // Returns the API of a realm: later changes of the module crypto by a script have no effect on it.
    // The function "wrap" returns a CryptoKey with the content of a KeyObject and a prototype.
    create: function (module, wrap) {
      FUNCTIONS.forEach(function (name) {
        crypto[name] = module[name];
      });
      makeKey = wrap;
      return { subtle: Object.create(SubtleCrypto.prototype), CryptoKey: CryptoKey, SubtleCrypto: SubtleCrypto };
    }
  };
})
