// Drives every call of an installed SDK against a server, and prints a line of JSON for each:
// {"call": "tokens.create", "outcome": "works"}. NODE_PATH has the folder of the package.
'use strict';

const assert = require('node:assert/strict');
const { randomUUID } = require('node:crypto');
const { BasisTheory } = require('@basis-theory/basis-theory-js');

const { VAULT, MANAGEMENT_KEY, DESTINATION } = process.env;
const ANY = '00000000-0000-4000-8000-000000000000';
const CODE = 'module.exports = async ({ args }) => ({ body: args.body, headers: args.headers });';
const OWNER = {
  name: 'Owner',
  type: 'private',
  rules: [{
    description: 'All data',
    priority: 1,
    container: '/',
    transform: 'reveal',
    permissions: ['token:create', 'token:read', 'token:search', 'token:update', 'token:delete', 'token:use'],
  }],
};
const PROVENANCE = ['modifiedBy', 'modifiedAt', 'lastUsedAt'];

const print = (call, outcome) => console.log(JSON.stringify({ call, outcome }));

/** Connects, without the reports that later versions send to their vendor. */
const connect = (key) =>
  new BasisTheory().init(key, { apiBaseUrl: VAULT, disableTelemetry: true });

/** A call that does what it does at the vendor. */
const works = async (call, action) => {
  try {
    const result = await action();
    print(call, 'works');
    return result;
  } catch (error) {
    print(call, `fails: ${error.message} ${JSON.stringify(error.data)}`);
    return undefined;
  }
};

/** A call that this vault refuses with a status. */
const refused = async (call, status, action) => {
  try {
    await action();
    print(call, 'works');
  } catch (error) {
    print(call, error.status === status ? String(status) : `fails: ${error.stack}`);
  }
};

/** A call of a path or method that this vault does not have. */
const absent = async (call, action) => {
  try {
    await action();
    print(call, 'works');
  } catch (error) {
    print(call, [404, 405].includes(error.status) ? 'absent' : `fails: ${error.stack}`);
  }
};

const lasting = (resource) => {
  const copy = { ...resource };
  PROVENANCE.forEach((name) => delete copy[name]);
  return copy;
};

/** Every name of a service's methods, of all classes that it extends. */
const methods = (service) => {
  const names = new Set();
  for (let type = Object.getPrototypeOf(service); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    Object.getOwnPropertyNames(type).forEach((name) => names.add(name));
  }
  names.delete('constructor');
  return names;
};

const applications = async (manager) => {
  const rule = {
    description: 'Support', priority: 1, container: '/', transform: 'mask', permissions: ['token:read'],
  };
  const created = await works('applications.create', () =>
    manager.applications.create({ name: 'Shop', type: 'private', permissions: ['token:use'], rules: [rule] }));
  const { id, key } = created;
  assert.deepEqual(created.rules, [rule]);
  const read = await works('applications.retrieve', () => manager.applications.retrieve(id));
  assert.equal(read.key, undefined);
  const same = await works('applications.update', () => manager.applications.update(id, read));
  assert.deepEqual(lasting(same), lasting(read));
  const changed = await manager.applications.update(id, { name: 'Shop 2', permissions: ['token:read'] });
  assert.deepEqual([changed.name, changed.permissions, changed.rules], ['Shop 2', ['token:read'], []]);
  const page = await works('applications.list', () => manager.applications.list({ id: [id], page: 1, size: 5 }));
  assert.deepEqual([page.pagination.totalItems, page.data[0].id], [1, id]);
  const own = await works('applications.retrieveByKey', () => manager.applications.retrieveByKey());
  assert.equal(own.type, 'management');
  const alias = await works('applications.getApplicationByKey', () => manager.applications.getApplicationByKey());
  assert.equal(alias.id, own.id);
  const regenerated = await works('applications.regenerateKey', () => manager.applications.regenerateKey(id));
  assert.notEqual(regenerated.key, key);
  await works('applications.delete', () => manager.applications.delete(id));
  await assert.rejects(manager.applications.retrieve(id), { status: 404 });
  const model = { name: 'n', type: 'public', permissions: ['token:create'] };
  const keyed = await works('applications.create({ createKey: true })', () =>
    manager.applications.create({ ...model, createKey: true }));
  assert.match(keyed.key, /^key_/);
  await refused('applications.create({ createKey: false })', 400, () =>
    manager.applications.create({ ...model, createKey: false }));
};

const tokens = async (owner) => {
  const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030 };
  const created = await works('tokens.create', () =>
    owner.tokens.create({
      type: 'card',
      data,
      metadata: { customer_id: '17' },
      containers: ['/pci/high/'],
      searchIndexes: ['{{ data.number | last4 }}'],
      fingerprintExpression: '{{ data.number }}',
      mask: { number: '{{ data.number | reveal_last: 4 }}' },
      expiresAt: '2099-01-02T03:04:05Z',
    }, { idempotencyKey: randomUUID(), correlationId: 'trace-1' }));
  assert.deepEqual([created.data, created.metadata], [data, { customer_id: '17' }]);
  const read = await works('tokens.retrieve', () => owner.tokens.retrieve(created.id));
  assert.deepEqual(read, created);
  const changed = await works('tokens.update', () =>
    owner.tokens.update(created.id, { metadata: { color: 'red' }, data: { expiration_year: 2031 } }));
  assert.deepEqual([changed.metadata, changed.data.expiration_year], [{ customer_id: '17', color: 'red' }, 2031]);
  const page = await works('tokens.list', () =>
    owner.tokens.list({ id: [created.id], type: ['card', 'token'], metadata: { customer_id: '17' }, size: 1 }));
  assert.deepEqual([page.pagination.totalItems, page.data[0].id], [1, created.id]);
  const found = await works('tokens.search', () => owner.tokens.search({ query: 'data:4242', page: 1, size: 10 }));
  assert.equal(found.data[0].id, created.id);
  const twin = await owner.tokens.create({ type: 'card', data: read.data, deduplicateToken: true,
    containers: ['/pci/high/'], fingerprintExpression: '{{ data.number }}' });
  assert.equal(twin.id, created.id);
  await works('tokens.delete', () => owner.tokens.delete(created.id));
  await assert.rejects(owner.tokens.retrieve(created.id), { status: 404 });
  await refused('tokens.create({ privacy })', 400, () =>
    owner.tokens.create({ type: 'token', data: 'x', privacy: { impactLevel: 'high' } }));
  await refused('tokens.create({ encryption })', 400, () =>
    owner.tokens.create({ type: 'token', data: 'x', encryption: { cek: {}, kek: {} } }));
  const parts = await works('tokenize', () =>
    owner.tokenize({ first_name: 'Ada', card: { type: 'token', data: { a_b: 1 } } }));
  assert.match(parts.first_name, /^[0-9a-f-]{36}$/);
  assert.deepEqual(parts.card.data, { a_b: 1 });
};

const proxies = async (manager, owner) => {
  const application = await manager.applications.create({ name: 'n', type: 'private', permissions: ['token:use'] });
  const model = {
    name: 'Echo',
    destinationUrl: DESTINATION,
    requireAuth: true,
    application: { id: application.id },
    configuration: { merchant_id: 'm-1', apiVersion: '2' },
    responseTransform: { code: CODE },
  };
  const created = await works('proxies.create', () => manager.proxies.create(model));
  assert.deepEqual(created.configuration, model.configuration);
  const read = await works('proxies.retrieve', () => manager.proxies.retrieve(created.id));
  assert.deepEqual(read, created);
  const same = await works('proxies.update', () => manager.proxies.update(created.id, read));
  assert.deepEqual(lasting(same), lasting(read));
  const patched = await works('proxies.patch', () =>
    manager.proxies.patch(created.id, { name: 'Echo 2', responseTransform: null, configuration: { merchant_id: null } }));
  assert.deepEqual([patched.name, patched.responseTransform, patched.configuration], ['Echo 2', undefined, { apiVersion: '2' }]);
  const page = await works('proxies.list', () => manager.proxies.list({ id: [created.id], name: 'Echo*', page: 1 }));
  assert.equal(page.data[0].id, created.id);
  await proxy(owner, created.key);
  await works('proxies.delete', () => manager.proxies.delete(created.id));
  await assert.rejects(manager.proxies.retrieve(created.id), { status: 404 });
};

const proxy = async (owner, key) => {
  const token = await owner.tokens.create({ type: 'token', data: 'sensitive' });
  const headers = { 'BT-PROXY-KEY': key, 'Content-Type': 'application/json' };
  for (const method of ['post', 'put', 'patch']) {
    const echo = await works(`proxy.${method}`, () =>
      owner.proxy[method]({ headers, path: 'sub', query: { q: '1' }, body: { snake_case: `{{${token.id}}}` } }));
    assert.deepEqual([echo.method, echo.path, echo.body],
      [method.toUpperCase(), '/echo/sub?q=1', '{"snake_case":"sensitive"}']);
    assert.equal(Object.keys(echo.headers).some((name) => name.toLowerCase().startsWith('bt-')), false);
  }
  for (const method of ['get', 'delete']) {
    const echo = await works(`proxy.${method}`, () =>
      owner.proxy[method]({ headers: { 'BT-PROXY-URL': DESTINATION, 'X-Card': `{{${token.id}}}` }, path: '/sub' }));
    assert.deepEqual([echo.method, echo.path, echo.headers['x-card']],
      [method.toUpperCase(), '/echo/sub', 'sensitive']);
  }
  const whole = await works('proxy.post({ includeResponseHeaders: true })', () =>
    owner.proxy.post({ query: { 'bt-proxy-key': key }, includeResponseHeaders: true, body: { a: 1 } }));
  assert.equal(whole.headers['bt-proxy-destination-status'], '200');
  assert.equal(whole.data.path, '/echo');
  await assert.rejects(owner.proxy.get({ headers: { 'BT-PROXY-KEY': 'unknown' } }), (error) =>
    error.status === 404 && error.data.proxy_error.status === 404);
};

const others = async (manager, owner) => {
  const catalog = await works('permissions.list', () => manager.permissions.list());
  assert.deepEqual(Object.keys(catalog[0]).sort(), ['applicationTypes', 'description', 'type']);
  const log = await works('logs.list', () =>
    manager.logs.list({ entityType: 'application', startDate: '2020-01-01T00:00:00Z', page: 1, size: 2 }));
  assert.deepEqual([log.data.length, log.data[0].entityType], [2, 'application']);
  for (const client of [manager, owner]) {
    const tenant = await works('tenants.retrieve', () => client.tenants.retrieve());
    assert.deepEqual(Object.keys(tenant).sort(), ['createdAt', 'id', 'name']);
  }
};

/** Arguments for methods of services that this vault does not have. */
const ARGUMENTS = {
  'applicationKeys.create': [ANY],
  'applicationKeys.delete': [ANY, ANY],
  'applicationKeys.getById': [ANY, ANY],
  'sessions.authorize': [{}],
  'tenants.createInvitation': [{}],
  'tenants.update': [{}],
  'threeds.createSession': [{}],
  'tokens.createAssociation': [ANY, ANY],
  'tokens.deleteAssociation': [ANY, ANY],
};
const ARGUMENTS_OF_ANY = { list: [], create: [{}] };

/** Calls all methods that were not called, which this vault must not have. */
const rest = async (manager, called) => {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(manager)).sort()) {
    if (['constructor', 'init', 'initOptions', 'loadElements', 'elements', 'createElement', 'client'].includes(name)) {
      continue;
    }
    if (typeof Object.getOwnPropertyDescriptor(Object.getPrototypeOf(manager), name).value === 'function') {
      continue;
    }
    for (const method of [...methods(manager[name])].filter((each) => each !== 'proxyRequest').sort()) {
      if (!called.has(`${name}.${method}`)) {
        const call = `${name}.${method}`;
        const given = ARGUMENTS[call] ?? ARGUMENTS_OF_ANY[method] ?? [ANY, {}];
        await absent(call, () => manager[name][method](...given));
      }
    }
  }
};

const main = async () => {
  const manager = await connect(MANAGEMENT_KEY);
  const { key } = await manager.applications.create(OWNER);
  const owner = await connect(key);
  const called = new Set();
  const log = console.log;
  console.log = (line) => {
    called.add(JSON.parse(line).call);
    log(line);
  };
  await applications(manager);
  await tokens(owner);
  await proxies(manager, owner);
  await others(manager, owner);
  await rest(manager, called);
};

main().catch((error) => {
  console.error(error.stack, error.data ?? '');
  process.exit(1);
});
