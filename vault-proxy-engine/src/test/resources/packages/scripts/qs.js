const qs = require('qs');
module.exports = async () => ({body: [qs.parse('a[b][c]=d&e[]=1&e[]=2&f=%C3%A9'), qs.stringify({a:{b:['x','y']},c:new Date(0),n:null}), qs.stringify({a:[1,2]},{arrayFormat:'brackets',encode:false}), qs.parse('?x=1',{ignoreQueryPrefix:true})]});
