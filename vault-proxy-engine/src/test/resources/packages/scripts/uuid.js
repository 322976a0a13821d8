const { v4, v5, v3, v1, validate, parse, stringify, NIL } = require('uuid');
module.exports = async () => ({body: [v5('example.com', v5.DNS), v3('example.com', v3.URL), validate(v4()), validate('x'), v4().length, v1().length, stringify(parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b')), NIL, v4({random: Array.from({length:16},(_, i)=>i)})]});
