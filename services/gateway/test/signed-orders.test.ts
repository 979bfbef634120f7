import { beforeEach, expect, test } from '@jest/globals';
import { createOrderVerifier, ORDER_HEADER, type SignedOrder, trustedKeys } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { operatorAs } from './support/operators.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
beforeEach(() => world.services.withdrawals.reset());

const BODY = '{ "amount": 2500,\n "pixKey": "loja@exemplo.com.br", "pixKeyType": "EMAIL" }';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the last order that the service received. Throws if its signature is missing or does not match. */
function lastOrder(path: string): SignedOrder | null {
  const { headers, body } = world.services.withdrawals.last();
  const keys = trustedKeys.parse(JSON.stringify({ gateway: world.gatewayKeys.publicKey })).get('gateway');
  const log = { error: () => undefined };
  const verifier = createOrderVerifier({ mode: 'require', keys, clock: () => new Date(), log });
  return verifier.verify(String(headers[ORDER_HEADER]), { path, body, maxAgeMs: 60_000 });
}

test('a withdrawal is forwarded with a signature of its exact body and its API key', async () => {
  const merchant = await world.newMerchant();
  const { id, key } = await world.newKey(merchant);
  const headers = { 'x-api-key': key, 'content-type': 'application/json', [ORDER_HEADER]: 'order1 forged' };

  await world.call('/v1/withdrawals/?x=1', { method: 'POST', headers, body: Buffer.from(BODY) });

  expect(world.services.withdrawals.last().body.toString()).toBe(BODY);
  expect(lastOrder('/v1/withdrawals')).toEqual({
    id: expect.stringMatching(UUID),
    path: '/v1/withdrawals',
    tenant: { merchantId: merchant.id, environment: 'sandbox' },
    actor: `key:${id}`,
    at: expect.any(Date),
  });
});

test('two equal requests are two orders', async () => {
  const { key } = await world.newKey(await world.newMerchant());
  const order = async () => {
    await world.post('/v1/withdrawals', { amount: 2_500 }, { 'x-api-key': key });
    return lastOrder('/v1/withdrawals')?.id;
  };

  expect(await order()).not.toBe(await order());
});

test('the order of a session names its user', async () => {
  const { bearer } = await world.newMerchant();

  await world.post('/v1/withdrawals', { amount: 2_500 }, bearer);

  expect(lastOrder('/v1/withdrawals')?.actor).toMatch(/^user:[0-9a-f-]{36}$/);
});

test.each(['approve', 'debit'])('the decision to %s names its operator and withdrawal', async (step) => {
  const { id, headers } = await operatorAs(world, 'FINANCE');
  const withdrawalId = newId();
  const path = `/v1/admin/withdrawals/${withdrawalId}/${step}`;

  await world.post(path.replace(withdrawalId, withdrawalId.toUpperCase()), { note: 'conferido' }, headers);

  expect(lastOrder(path)).toMatchObject({ tenant: null, actor: `operator:${id}` });
});

test('a request that orders no money has no signature, not even one of its caller', async () => {
  const { key } = await world.newKey(await world.newMerchant());

  await world.call('/v1/withdrawals', { headers: { 'x-api-key': key, [ORDER_HEADER]: 'order1 forged' } });

  expect(world.services.withdrawals.last().headers).not.toHaveProperty(ORDER_HEADER);
});
