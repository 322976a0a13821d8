const crypto = require('crypto');

/** @type {Transform} */
module.exports = async ({ args, configuration }) => {
  const { card, amount } = args.body;
  if (!card) {
    throw new BadRequestError({ card: ['is required'] });
  }
  const body = { merchant: configuration.MERCHANT_ID, amount: Math.round(amount * 100), pan: card };
  const signature = crypto.createHmac('sha256', configuration.SECRET).update(JSON.stringify(body)).digest('hex');
  return { body, headers: { ...args.headers, 'x-signature': signature } };
};
