const P = require('papaparse');
module.exports = async () => ({body: [P.parse('a,b\n1,"x ""y"""\n2,z',{header:true,dynamicTyping:true}), P.unparse([{a:1,b:'x,y'},{a:2,b:'q"'}]), P.parse('a;b\n"c',{delimiter:';'}).errors, P.parse('a\tb').data]});
