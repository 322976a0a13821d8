const validate = require('card-schema');
module.exports = async ({args}) => {
  const valid = validate({card: args.body.card, kind: {b: [1, 2]}, tags: [{a: 1}, {a: 2}]});
  return {body: [valid, validate({card: 'é', tags: [{a: 1}, {a: 1}], more: 1}), validate.errors]};
};
