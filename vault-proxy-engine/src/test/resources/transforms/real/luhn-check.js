// Refuses what is no card number before it costs a request.
const { BadRequestError } = require('vault-errors');

function luhn(number) {
  let sum = 0;
  for (const [i, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (i % 2 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

module.exports = async ({ args }) => {
  const { number } = args.body.card;
  if (!/^\d{13,19}$/.test(number)) {
    throw new BadRequestError({ 'card.number': ['must be 13 to 19 digits'] });
  }
  if (!luhn(number)) {
    throw new BadRequestError('The card number is not valid');
  }
  return { body: { ...args.body, brand: number.startsWith('4') ? 'visa' : 'other' } };
};
