// Answers by itself where the destination would only say no.
module.exports = async ({ args }) => {
  if (args.headers['x-mode'] === 'teapot') {
    throw new CustomHttpResponseError({
      status: 418,
      headers: { 'content-type': 'text/plain', 'x-why': 'short and stout' },
      body: 'I am a teapot',
    });
  }
  if (args.headers['x-mode'] === 'json') {
    throw new CustomHttpResponseError({ status: 202, body: { queued: true } });
  }
  return { body: args.body };
};
