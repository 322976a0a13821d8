const axios = require('axios');
module.exports = async ({args}) => {
  const client = axios.create({baseURL: args.body.url, headers: {'X-A': '1'}});
  const {status, data} = await client.post('/a', {card: args.body.card}, {params: {b: [1, 2]}});
  const failed = await client.get('/missing').catch((error) => error);
  return {body: [status, data, axios.isAxiosError(failed), failed.response.status, failed.message]};
};
