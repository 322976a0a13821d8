// The reference transform of the benchmark: reshapes 2 KB of JSON and signs it, after one await.
const crypto = require('crypto');

const cents = (amount) => Math.round(Number(amount) * 100);

const line = ({ sku, name, quantity, price, tax = 0 }, index) => ({
  number: index + 1,
  sku,
  description: `${quantity} x ${name.trim()}`,
  quantity,
  unit_amount: cents(price),
  tax_amount: cents(price * quantity * tax),
});

const sign = async (secret, timestamp, payload) =>
  crypto.createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');

module.exports = async ({ args, configuration }) => {
  const { customer, items, card, ...rest } = args.body;
  const lines = items.map(line);
  const body = {
    merchant: configuration.MERCHANT_ID,
    reference: rest.id,
    amount: lines.reduce((sum, item) => sum + item.quantity * item.unit_amount, 0),
    currency: (rest.currency || 'EUR').toUpperCase(),
    customer: {
      name: [customer.first_name, customer.last_name].filter(Boolean).join(' '),
      email: customer.email?.toLowerCase() ?? null,
      address: { ...customer.address, country: customer.address.country || 'DE' },
    },
    source: { number: card.number.replace(/\D/g, ''), month: card.exp_month, year: card.exp_year },
    lines,
    metadata: Object.fromEntries(Object.entries(rest.metadata).map(([k, v]) => [`m_${k}`, v])),
  };
  const signature = await sign(configuration.SECRET, configuration.TIMESTAMP, JSON.stringify(body));
  return { body, headers: { ...args.headers, 'x-signature': `t=${configuration.TIMESTAMP},v1=${signature}` } };
};
