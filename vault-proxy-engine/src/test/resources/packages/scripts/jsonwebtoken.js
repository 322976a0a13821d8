const jwt = require('jsonwebtoken');
module.exports = async () => { const t = jwt.sign({a:1, iat: 1700000000}, 'secret', {algorithm:'HS256'}); return {body: [t, jwt.verify(t,'secret'), jwt.decode(t,{complete:true}).header]}; };
