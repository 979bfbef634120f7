import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints, type Scope, scopes } from '@plataforma/contracts';
import { forceStatus, type Merchant, startWorld, type World } from './support/world.ts';

let world: World;
let merchant: Merchant;

beforeAll(async () => {
  world = await startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1, 10.0.0.0/8' } });
  merchant = await world.approvedMerchant();
  // What the gateway asks before it answers for a clock.
  const done = { success: true, data: { aheadMs: Number.MAX_SAFE_INTEGER, due: 0 } };
  for (const service of Object.values(world.services))
    service.answer(() => ({ status: 200, body: JSON.stringify(done) }));
});
afterAll(() => world.stop());

/** One key for each set of scopes: an organization may not have any number. */
const keys = new Map<string, ReturnType<World['newKey']>>();
async function keyWith(wanted: readonly Scope[]): Promise<string> {
  const known = keys.get(wanted.join()) ?? world.newKey(merchant, { scopes: wanted });
  keys.set(wanted.join(), known);
  return (await known).key;
}

const forMerchants = endpoints.filter(({ access }) => access.kind === 'merchant');
const pathOf = ({ path }: Endpoint) => path.replace(':id', '0193ad3c-1f2e-7cc3-98c4-dc0c0c07398f');
/** The gateway reads no part of a form. */
const form = { 'content-type': 'multipart/form-data; boundary=limite' };
const use = (endpoint: Endpoint, headers: Record<string, string>) =>
  world.call(pathOf(endpoint), {
    method: endpoint.method.toUpperCase(),
    headers: { ...(endpoint.takesFile ? form : {}), ...headers },
    ...(endpoint.method === 'post' ? { body: bodyOf(endpoint) } : {}),
  });

function bodyOf({ path, takesFile }: Endpoint): Buffer | object {
  if (takesFile) return Buffer.from('--limite--');
  return path === '/v1/sandbox/clock' ? { advance: 'PT1S' } : {};
}

const changeStatus = (id: string, status: string) => forceStatus(world, id, status);

describe('every endpoint for merchants', () => {
  test.each(forMerchants.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s takes a key with one of its scopes or a bearer token, and nothing else',
    async (_name, endpoint) => {
      const anyOf = endpoint.access.kind === 'merchant' ? endpoint.access.anyOf : [];
      const others = scopes.filter((scope) => !anyOf.includes(scope));
      const enough = anyOf.length > 0 ? anyOf : scopes;

      for (const scope of enough) {
        expect((await use(endpoint, { 'x-api-key': await keyWith([scope]) })).status).toBe(200);
      }
      expect((await use(endpoint, merchant.bearer)).status).toBe(200);
      const bare = await use(endpoint, {});
      expect([bare.status, bare.code]).toEqual([401, 'UNAUTHORIZED']);
      if (anyOf.length > 0) {
        const { status, json } = await use(endpoint, { 'x-api-key': await keyWith(others) });
        const message = `the API key lacks the scope ${anyOf.join(' or ')}`;
        expect([status, json.error]).toEqual([403, { code: 'INSUFFICIENT_SCOPE', message }]);
      }
    },
  );
});

describe('the environment', () => {
  const read = (headers: Record<string, string>) => world.call('/v1/balance', { headers });

  test('of a bearer token is the sandbox unless its header says otherwise', async () => {
    const unsaid = await read(merchant.bearer);
    const production = await read({ ...merchant.bearer, 'x-environment': 'production' });
    const unknown = await read({ ...merchant.bearer, 'x-environment': 'live' });

    expect([unsaid.status, production.status, unknown.status]).toEqual([200, 200, 400]);
    expect(unknown.json.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'X-Environment: must be sandbox or production, or left out',
    });
  });

  test('of production is closed until the merchant is approved; the sandbox is open at once', async () => {
    const pending = await world.newMerchant();
    const { key } = await world.newKey(pending);

    const production = await read({ ...pending.bearer, 'x-environment': 'production' });
    const sandbox = await read(pending.bearer);
    const withKey = await read({ 'x-api-key': key });

    expect([production.status, production.code]).toEqual([403, 'MERCHANT_NOT_APPROVED']);
    expect([sandbox.status, withKey.status]).toEqual([200, 200]);
  });

  test('of production is closed to who was rejected, whatever it is asked', async () => {
    const rejected = await world.newMerchant();
    await changeStatus(rejected.id, 'REJECTED');
    const headers = { ...rejected.bearer, 'x-environment': 'production' };

    const answers = [
      await read(headers),
      await world.call('/v1/webhook-config', { method: 'POST', body: {}, headers }),
      await world.call('/v1/withdrawals/decode-qr', { method: 'POST', body: {}, headers }),
      await world.call('/v1/charges', { method: 'POST', body: {}, headers }),
    ];

    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual([
      '403 MERCHANT_NOT_APPROVED',
      '403 MERCHANT_NOT_APPROVED',
      '403 MERCHANT_NOT_APPROVED',
      '403 MERCHANT_SUSPENDED',
    ]);
  });

  test('of production is closed to a key whose merchant is no longer approved', async () => {
    const once = await world.approvedMerchant();
    const { key } = await world.newKey(once, { environment: 'production' });
    await changeStatus(once.id, 'PENDING');

    const { status, code } = await read({ 'x-api-key': key });

    expect([status, code]).toEqual([403, 'MERCHANT_NOT_APPROVED']);
  });
});

describe.each([
  ['SUSPENDED', 'sandbox'],
  ['SUSPENDED', 'production'],
  ['REJECTED', 'sandbox'],
])('a merchant that is %s, in its %s', (status, environment) => {
  test('starts no charge or withdrawal and saves no destination, and still reads and mends', async () => {
    const barred = await world.approvedMerchant();
    const { key } = await world.newKey(barred, { environment });
    await changeStatus(barred.id, status);
    const headers = { 'x-api-key': key };

    const started = [];
    for (const path of ['/v1/charges', '/v1/withdrawals', '/v1/destinations'])
      started.push(await world.call(path, { method: 'POST', body: {}, headers }));
    const others = [
      await world.call('/v1/charges', { headers }),
      await world.call('/v1/balance', { headers }),
      await world.call('/v1/charges/1', { method: 'DELETE', headers }),
      await world.call('/v1/destinations/1', { method: 'DELETE', headers }),
      await world.call('/v1/webhook-config', { method: 'POST', body: {}, headers }),
      await world.call('/v1/account', { headers: barred.bearer }),
    ];

    const message = `the account is ${status}: no new charges, withdrawals, destinations or API keys`;
    expect(started.map((answer) => [answer.status, answer.json.error])).toEqual(
      started.map(() => [403, { code: 'MERCHANT_SUSPENDED', message }]),
    );
    expect(others.map((other) => other.status)).toEqual(others.map(() => 200));
  });
});

describe('a key for some addresses only', () => {
  const comingFrom = async (forwardedFor: string, allowedIps: string[]) => {
    const { key } = await world.newKey(merchant, { allowedIps });
    const { status, code } = await world.call('/v1/balance', {
      headers: { 'x-api-key': key, 'x-forwarded-for': forwardedFor },
    });
    return `${status} ${code}`;
  };

  test.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['203.0.113.77', ['198.51.100.1', '203.0.113.0/24']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['2001:db8::7', ['2001:db8::7']],
    ['2001:DB8:0:0::7', ['2001:db8::/64']],
    ['203.0.113.7, 10.1.2.3', ['203.0.113.7']],
    ['198.51.100.9, 203.0.113.7', ['203.0.113.7']],
    ['203.0.113.7', ['0.0.0.0/0']],
    ['', ['127.0.0.1']],
    ['203.0.113.7', []],
  ])('is taken from %j when the list is %j', async (forwardedFor, allowedIps) => {
    expect(await comingFrom(forwardedFor, allowedIps)).toBe('200 ');
  });

  test.each([
    ['203.0.113.8', ['203.0.113.7']],
    ['203.0.114.7', ['203.0.113.0/24']],
    ['2001:db8:0:1::7', ['2001:db8::/64']],
    ['2001:db8::7', ['0.0.0.0/0']],
    // What the caller itself wrote stands further left than what our own proxies saw.
    ['203.0.113.7, 198.51.100.9', ['203.0.113.7']],
    ['203.0.113.7, 198.51.100.9, 10.1.2.3', ['203.0.113.7']],
    ['unknown', ['203.0.113.7']],
    ['203.0.113.7, unknown', ['203.0.113.7']],
    ['', ['203.0.113.7']],
  ])('is refused from %j when the list is %j', async (forwardedFor, allowedIps) => {
    expect(await comingFrom(forwardedFor, allowedIps)).toBe('403 IP_NOT_ALLOWED');
  });

  test('believes nobody’s X-Forwarded-For while no proxy is ours', async () => {
    const direct = await startWorld();
    const own = await direct.newMerchant();
    const { key } = await direct.newKey(own, { allowedIps: ['203.0.113.7'] });
    const { key: local } = await direct.newKey(own, { allowedIps: ['127.0.0.1'] });
    const headers = { 'x-forwarded-for': '203.0.113.7' };

    const forged = await direct.call('/v1/balance', { headers: { ...headers, 'x-api-key': key } });
    const honest = await direct.call('/v1/balance', { headers: { ...headers, 'x-api-key': local } });

    expect([forged.code, honest.status]).toEqual(['IP_NOT_ALLOWED', 200]);
    await direct.stop();
  });
});
