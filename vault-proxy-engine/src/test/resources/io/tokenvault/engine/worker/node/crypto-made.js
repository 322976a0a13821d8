// Random results, which are created by the vault and verified by Node.js.
const crypto = require('crypto');
const keys = {
  rsa: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCw6OSc7/qyCFE9\n0YXDAdl14Eswm9gKWbD8AxK+xjUiJBJfRYr49BTTXSoGNWLvzVPOGnXzfUmjSYd/\n7k4I3F/Lw2VyIaOGLIV5o4BsZd1BGQ2Mre4Ts7BAdTZQQ77/AjyaCuxC31aIT+SH\nnDhmkvxV52zWlSEhAh1Tl/ejvtlJx6T3PxNZ/+NRYvVPYAxakc+p19nLQvmfviRm\ntDi+a6yxs9IU22f++is60sEtxcT0YIZeAJNaADEeTxtIj8Q93HCHxa20iYLfn1b8\nMkd6CftRHK5qVxUbKaxwaw3ynI3KSqBM81iBSfR9AYQp2i3sEe+370HssVSLoVxY\n0cOrTkUDAgMBAAECggEAGYgAQlPx8BKk4uaORuaemH/zv1f7ywFHD7/Dy0uLVy+H\nL+ph6ZbpkILQB1BaGctIuSR2zwVPBM/zobdl2f/amsDK2bitbbZBgcdicoJq9t5O\nPHYiN1lbP5o1lJ+KUimOTxmcykk1fFEHZWOFfOw2muaI0xkiTFi5RxtV+R2Yef37\ngCu5wmA58L/w1M1rgMLRD+Wh5pIJ96YKHdSQvGjYjAsBjJI5aD7XS398VYQJlg18\nhkGJjGtNsHnRv9mV+52te7m1Voc1yyfHrusr+lp6oannFsgk4BiOjQxdLLSXokK+\n5+djW9bodEe1iSHYgN5q8LdtCYQ8YXJTrqHTkSJJdQKBgQD1tj/zHdK6B5PzUmI9\ngvsMhvsesa7Ie9DyoX+uwK7a/g0DjaubJiPLXK2azX+Y8HXvj6F7FV0D7/GY6+xo\nb1ejBkx1tTJ9l3KWJ/bigZD593kUjVHlZARHn+/LUR+w2U8oED2hHtiH9y8UjAkc\niomuoxoyqQj0kTyQMpaTZeWkhQKBgQC4USmojGuM1vo7GeMgKKGNlW8oSjk/TyIz\nnCB2frGnxi+s4dtW7rECDOdt3ioFG/Q6Kg7I2yP3GoVPG1S69CesToZJIO/u9vWp\n46Z8bXbqw4XDKEyxJUy9dqnV9hKRaV0z1yXtW62gIjHS0v8j+XMu/iZMK4wsoeYF\n83oG9tDd5wKBgQDfUlbLM4bsd6i71VvexmZAm4ov+pR+OTLO44P2I8CI37CaUy/u\nYnrUAZb0BOR878hxBJ1jDiatRm7Sa1NCFDiVvkrODPMn/PczjH0yn0pSNt/AkzUl\nBYNySeYbZ88i4E+2fRRWlX9+DGapCSHa4/uBU1KjSskN59cgxCnhLBLNNQKBgEHn\nO1b5xmbYYyaIrg5MmN8wBEvKpkd9uwPrGixkRo9vrJJLO4sM05uhE4rUOgATq7K0\nYQ7uVCDBidLsOdKTBDB270rsjP3LrbEuJdQtq6xrdsN+AFYCuTqxWC6Zyq/Vla64\nieYhtqYgM+Jm8TVitw2hb/4iP/+hb8bG9OXSkIIXAoGAB6e8pW4YXX56yqy/NKyX\nKKXWOLRnpdgOe9nv5fxPIvHG5Q2RhNIJboTM7bg9jAF7HMV5+ffRG0iUsNfG97sj\nctN389O7tciPHUC7OWTQhaj4ruF7RAKD+Hrl/IgY2LusEZCGSVbkgQuemqFCr3NK\n4ljUQfTkTGqGuq67d47ftkQ=\n-----END PRIVATE KEY-----\n',
  p256: '-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqCnY4RVmrg7AGPIf\nDwbWgDJy+r7vpJN+U2FgPFerUEehRANCAAQN7icmtriQta/IA3aM3HLGd3ohGKOt\nAa6jgqBNPOnh0Csh3NU57MsBShCoFKvuDjkDx1XXyQFIhsAdNS4CWjYY\n-----END PRIVATE KEY-----\n'
};
const data = 'signed data';

function made() {
  const sign = options => crypto.createSign('sha256').update(data).sign(options, 'base64');
  const cipher = crypto.createCipheriv('aes-256-gcm', Buffer.alloc(32, 1), Buffer.alloc(12, 2));
  const sealed = cipher.update(data, 'utf8', 'base64') + cipher.final('base64');
  return [
    sign({ key: keys.rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING }),
    sign({ key: keys.rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: -1 }),
    sign(keys.p256),
    sign({ key: keys.p256, dsaEncoding: 'ieee-p1363' }),
    crypto.publicEncrypt(keys.rsa, Buffer.from(data)).toString('base64'),
    crypto.publicEncrypt({ key: keys.rsa, oaepHash: 'sha256' }, Buffer.from(data)).toString('base64'),
    [sealed, cipher.getAuthTag().toString('base64')]
  ];
}

function checked(values) {
  const good = (options, value) => crypto.createVerify('sha256').update(data).verify(options, value, 'base64');
  const open = (options, value) => crypto.privateDecrypt(options, Buffer.from(value, 'base64')).toString() === data;
  const decipher = crypto.createDecipheriv('aes-256-gcm', Buffer.alloc(32, 1), Buffer.alloc(12, 2));
  decipher.setAuthTag(Buffer.from(values[6][1], 'base64'));
  return [
    good({ key: keys.rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING }, values[0]),
    good({ key: keys.rsa, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, values[1]),
    good(crypto.createPublicKey(keys.p256), values[2]),
    good({ key: keys.p256, dsaEncoding: 'ieee-p1363' }, values[3]),
    open(keys.rsa, values[4]),
    open({ key: keys.rsa, oaepHash: 'sha256' }, values[5]),
    decipher.update(values[6][0], 'base64', 'utf8') + decipher.final('utf8') === data
  ];
}
