const iconv = require('iconv-lite');
module.exports = async () => ({body: [iconv.encode('é€', 'win1252').toString('hex'), iconv.decode(Buffer.from([0x93, 0xfa]), 'shift_jis'), iconv.encodingExists('utf-16'), iconv.encode('aé', 'utf16be').toString('hex')]});
