// A report with numbers and dates as the system at the other end prints them.
module.exports = async ({ args: { body } }) => {
  const totals = new Map();
  for (const { currency, amount } of body.items) {
    totals.set(currency, (totals.get(currency) ?? 0) + amount);
  }
  const lines = [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, total]) => [currency, total.toFixed(2), total.toLocaleString(), total.toPrecision(3), total.toExponential(1)].join(';'));
  const day = new Date(body.day);
  return {
    body: {
      lines,
      count: totals.size,
      day: [day.toISOString(), day.toJSON(), day.getTime(), day.getUTCDay()],
      numbers: [0.1 + 0.2, 1e21, 1e-7, -0, 123456789.123, 5e-324, (255).toString(16), (0.5).toString(2), parseFloat('1.50abc'), Number('0x1f'), Number('')],
    },
  };
};
