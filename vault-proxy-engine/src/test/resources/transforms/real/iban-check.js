// Checks an IBAN (ISO 13616) with the remainder of a very long number.
module.exports = async ({ args }) => {
  const iban = args.body.iban.replace(/ /g, '').toUpperCase();
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => (letter.charCodeAt(0) - 55).toString());
  const valid = BigInt(digits) % 97n === 1n;
  if (!valid) {
    throw new BadRequestError(['The IBAN is not valid', `It has ${iban.length} characters`]);
  }
  return { body: { iban, country: iban.slice(0, 2), printed: iban.match(/.{1,4}/g).join(' ') } };
};
