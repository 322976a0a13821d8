const F = require('form-data');
module.exports = async () => { const f=new F(); f.setBoundary && f.setBoundary('BBB'); f.append('a','1'); f.append('f',Buffer.from('xyz'),{filename:'a.txt',contentType:'text/plain'}); const chunks=[]; return {body: [f.getHeaders(), f.getBuffer().toString(), f.getLengthSync()]}; };
