const { create, convert } = require('xmlbuilder2');
module.exports = async () => ({body: [create({version:'1.0'}).ele('root',{att:'val'}).ele('foo').ele('bar').txt('foobar').up().up().ele('baz').up().end({prettyPrint:true}), convert('<root a="1"><b>2</b></root>', {format:'object'}), create({r:{'@x':'1','#':'t'}}).end()]});
