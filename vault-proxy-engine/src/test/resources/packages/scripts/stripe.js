const Stripe = require('stripe');
module.exports = async ({args}) => {
  const {hostname, port} = new URL(args.body.url);
  const stripe = new Stripe('sk_test_1', {httpClient: Stripe.createFetchHttpClient(), host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false});
  const charge = await stripe.charges.create({amount: 5, currency: 'usd', source: {number: args.body.card}});
  const failed = await stripe.customers.retrieve('missing').catch((error) => error);
  return {body: [charge.path, charge.body, failed.type, failed.statusCode, failed.message]};
};
