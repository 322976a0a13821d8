// Formats values identically in Node.js and in the vault, and runs the snippets in order.
(function(g){
 function show(v,seen){ seen=seen||[];
  if(v===null||v===undefined) return String(v);
  var t=typeof v;
  if(t==='string') return JSON.stringify(v);
  if(t==='number') return Object.is(v,-0)?'-0':String(v);
  if(t==='bigint') return v+'n';
  if(t==='boolean') return String(v);
  if(t==='symbol') return v.toString();
  if(t==='function') return 'function '+v.name+'/'+v.length;
  if(seen.indexOf(v)>=0) return '<cycle>'; seen=seen.concat([v]);
  if(v instanceof Error) return v.name+(v instanceof g.TypeError||v instanceof g.ReferenceError||v instanceof g.SyntaxError||v instanceof g.RangeError?'':': '+v.message);
  var r=[],k=Object.keys(v),i;
  if(Array.isArray(v)){ for(i=0;i<v.length;i++) r.push(i in v?show(v[i],seen):'<hole>'); k.forEach(function(x){if(!/^\d+$/.test(x)) r.push(x+': '+show(v[x],seen))}); return '['+r.join(', ')+']'; }
  if(v instanceof Map){ v.forEach(function(y,x){r.push(show(x,seen)+' => '+show(y,seen))}); return 'Map{'+r.join(', ')+'}'; }
  if(v instanceof Set){ v.forEach(function(y){r.push(show(y,seen))}); return 'Set{'+r.join(', ')+'}'; }
  k.forEach(function(x){ r.push(x+': '+show(v[x],seen)); });
  var c=Object.getPrototypeOf(v); c=c===null?'null ':(c.constructor&&c.constructor!==Object?c.constructor.name+' ':'');
  return c+'{'+r.join(', ')+'}';
 }
 g.__show=show;
})(globalThis);
var out = '{}';
(function (global) {
  var all = { exports: {} };
  body.call(all.exports, all.exports, null, all);
  var results = {};
  function next(names) {
    if (names.length === 0) {
      out = JSON.stringify(results, null, 1);
      return null;
    }
    var name = names[0];
    return Promise.resolve().then(function () {
      var module = { exports: {} };
      all.exports[name].call(module.exports, module.exports, null, module);
      return (module.exports.default || module.exports)();
    }).then(
        function (value) { results[name] = '= ' + global.__show(value); },
        function (error) { results[name] = '! ' + global.__show(error); }
    ).then(function () { return next(names.slice(1)); });
  }
  next(Object.keys(all.exports));
})(globalThis);
