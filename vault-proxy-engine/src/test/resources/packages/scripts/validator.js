const v = require('validator');
module.exports = async ({args}) => ({body: [v.isCreditCard(args.body.card), v.isEmail('a@b.co'), v.isIBAN('DE89370400440532013000'), v.escape('<a>'), v.isURL('https://x.test'), v.normalizeEmail('Foo.Bar@gmail.com')]});
