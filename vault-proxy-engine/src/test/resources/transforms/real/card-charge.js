// A charge for an acquirer that wants amounts in minor units and the card in its own names.
const CURRENCY_DIGITS = { JPY: 0, KWD: 3 };

module.exports = async function ({ args, configuration }) {
  const { amount, currency, card, ...rest } = args.body;
  const digits = CURRENCY_DIGITS[currency] ?? 2;
  const minor = Math.round(amount * 10 ** digits);
  return {
    body: {
      merchant: configuration.MERCHANT_ID,
      amount: { value: minor, currency },
      paymentMethod: {
        type: 'scheme',
        number: card.number.replace(/\s+/g, ''),
        expiryMonth: String(card.expiration_month).padStart(2, '0'),
        expiryYear: `20${String(card.expiration_year).slice(-2)}`,
      },
      ...rest,
    },
    headers: { ...args.headers, 'x-merchant': configuration.MERCHANT_ID },
  };
};
