import { describe, expect, test } from '@jest/globals';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { forceStatus, startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ settings: { TRUSTED_PROXIES: '127.0.0.1, ::1, 10.0.0.0/8' } }));
const merchant = beforeFile(() => world.approvedMerchant());

const changeStatus = (id: string, status: string) => forceStatus(world, id, status);

describe('the environment of a request', () => {
  const read = (headers: Record<string, string>) => world.call('/v1/balance', { headers });

  test('is the sandbox for a bearer token without X-Environment', async () => {
    const unsaid = await read(merchant.bearer);
    const production = await read({ ...merchant.bearer, 'x-environment': 'production' });
    const unknown = await read({ ...merchant.bearer, 'x-environment': 'live' });

    expect([unsaid.status, production.status, unknown.status]).toEqual([200, 200, 400]);
    expect(unknown.json.error).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'X-Environment: must be sandbox or production, or left out',
    });
  });

  test('cannot be production once the merchant loses its approval', async () => {
    const merchant = await world.approvedMerchant();
    const { key } = await world.newKey(merchant, { environment: 'production' });
    await changeStatus(merchant.id, 'PENDING');

    expect(await read({ 'x-api-key': key })).toMatchObject({ status: 403, code: 'MERCHANT_NOT_APPROVED' });
  });
});

test('a suspended merchant creates nothing in production, but reads and cancels', async () => {
  const barred = await world.approvedMerchant();
  const { key } = await world.newKey(barred, { environment: 'production' });
  await changeStatus(barred.id, 'SUSPENDED');
  const headers = { 'x-api-key': key };

  const started = [];
  for (const path of ['/v1/charges', '/v1/withdrawals', '/v1/destinations'])
    started.push(await world.post(path, {}, headers));
  const others = [
    await world.call('/v1/balance', { headers }),
    await world.call('/v1/charges/1', { method: 'DELETE', headers }),
    await world.post('/v1/webhook-config', {}, headers),
  ];

  const message = 'the account is SUSPENDED: no new charges, withdrawals, destinations or API keys';
  expect(started.map((answer) => [answer.status, answer.json.error])).toEqual(
    started.map(() => [403, { code: 'MERCHANT_SUSPENDED', message }]),
  );
  expect(others.map((other) => other.status)).toEqual(others.map(() => 200));
});

describe('an API key with an allowlist of addresses', () => {
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
  ])('is accepted from %j when the allowlist is %j', async (forwardedFor, allowedIps) => {
    expect(await comingFrom(forwardedFor, allowedIps)).toBe('200 ');
  });

  test.each([
    ['203.0.113.8', ['203.0.113.7']],
    ['203.0.114.7', ['203.0.113.0/24']],
    ['2001:db8:0:1::7', ['2001:db8::/64']],
    ['2001:db8::7', ['0.0.0.0/0']],
    // The addresses that a caller itself writes into the header are further left than those that trusted
    // proxies append.
    ['203.0.113.7, 198.51.100.9', ['203.0.113.7']],
    ['203.0.113.7, 198.51.100.9, 10.1.2.3', ['203.0.113.7']],
    ['unknown', ['203.0.113.7']],
    ['203.0.113.7, unknown', ['203.0.113.7']],
    ['', ['203.0.113.7']],
  ])('is refused from %j when the allowlist is %j', async (forwardedFor, allowedIps) => {
    expect(await comingFrom(forwardedFor, allowedIps)).toBe('403 IP_NOT_ALLOWED');
  });

  test('ignores X-Forwarded-For without a trusted proxy', async () => {
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
