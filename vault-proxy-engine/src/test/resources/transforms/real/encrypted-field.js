// A field encrypted with a shared key, AES-256-GCM, as iv.tag.ciphertext.
const { createCipheriv, createDecipheriv } = require('crypto');

const b64 = (buffer) => buffer.toString('base64url');

module.exports = async ({ args, configuration }) => {
  const key = Buffer.from(configuration.KEY, 'hex');
  if (args.body.sealed) {
    const [iv, tag, data] = args.body.sealed.split('.').map((part) => Buffer.from(part, 'base64url'));
    const decipher = createDecipheriv('aes-256-gcm', key, iv).setAuthTag(tag);
    return { body: { opened: decipher.update(data, null, 'utf8') + decipher.final('utf8') } };
  }
  const iv = Buffer.from(configuration.IV, 'hex');
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const data = Buffer.concat([cipher.update(args.body.secret, 'utf8'), cipher.final()]);
  return { body: { sealed: [iv, cipher.getAuthTag(), data].map(b64).join('.') } };
};
