const h = require('htmlparser2');
module.exports = async () => { const ev=[]; const p=new h.Parser({onopentag(n,a){ev.push([n,a]);},ontext(t){ev.push(t);},onclosetag(n){ev.push('/'+n);}}); p.write('<a href="x&amp;y">t<br>é</a>'); p.end(); const d=h.parseDocument('<x><y z="1">q</y></x>',{xmlMode:true}); return {body: [ev,h.DomUtils.textContent(d),h.DomUtils.getOuterHTML(d)]}; };
