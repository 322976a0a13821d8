const { AwsClient } = require('aws4fetch');
module.exports = async ({ args }) => {
  const aws = new AwsClient({ accessKeyId: 'AKID', secretAccessKey: 'secret', service: 's3', region: 'us-east-1' });
  const signed = await aws.sign(args.body.url + '/a?b=c', { method: 'POST', body: 'text', headers: { 'X-A': '1' }, aws: { datetime: '20150830T123600Z' } });
  const r = await aws.fetch(args.body.url + '/a', { method: 'PUT', body: '{}' });
  return { body: [[...signed.headers].filter(([n]) => n !== 'authorization').sort(), signed.headers.get('authorization').length, r.status, (await r.json()).path] };
};
