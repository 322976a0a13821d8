const Big = require('big.js');
module.exports = async () => ({body: [new Big('0.1').plus('0.2').toString(), new Big(10).div(3).toFixed(4), new Big('1e-10').toString(), new Big(2).sqrt().toString(), new Big('123.456').round(1,Big.roundHalfEven).toString(), new Big(5).cmp(3), JSON.stringify({a:new Big('1.10')})]});
