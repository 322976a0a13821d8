const {nanoid, customAlphabet, customRandom, urlAlphabet} = require('nanoid');
module.exports = async () => ({body: [nanoid().length, /^[\w-]{10}$/.test(nanoid(10)), customAlphabet('a',5)(), customRandom('abcdef',8,n=>new Uint8Array(n).map((_,i)=>i*7))(), urlAlphabet.length]});
