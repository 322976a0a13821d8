const M = require('mustache');
module.exports = async () => ({body: [M.render('Hi {{name}} {{#l}}{{.}};{{/l}}{{^e}}none{{/e}}{{{raw}}}',{name:'<A>',l:[1,2],raw:'<b>'}), M.render('{{>p}}',{x:1},{p:'[{{x}}]'}), M.parse('a{{b}}'), M.render('{{#f}}x{{/f}}',{f:()=>(t,r)=>r(t)+'!'})]});
