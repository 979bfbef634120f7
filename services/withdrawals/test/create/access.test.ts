import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { createClient, newOrder } from '../support/client.ts';
import { bankBody, saved } from '../support/destination-bodies.ts';
import { newTenant } from '../support/identity.ts';
import { startWorld, withoutProvider } from '../support/world.ts';

const world = worldOfFile(() => startWorld({ settings: withoutProvider('PRODUCTION') }));

test.each(['SUSPENDED', 'REJECTED'] as const)(
  'a merchant that is %s can read but not order',
  async (status) => {
    const merchant = world.newMerchant({ status });

    expect(await world.client.create(merchant, newOrder())).toMatchObject({
      status: 403,
      error: { code: 'MERCHANT_SUSPENDED' },
    });
    expect((await world.client.list(merchant)).status).toBe(200);
    expect(await world.rowsOf(merchant)).toEqual([]);
  },
);

describe('an environment without a provider', () => {
  test('refuses a Pix order and takes no money', async () => {
    const merchant = world.newMerchant({}, 'production');
    const before = world.ledger.debitRequests.length;

    const answer = await world.client.create(merchant, newOrder(), 'chave-1');

    expect(answer).toMatchObject({ status: 503, error: { code: 'PROVIDER_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(world.ledger.debitRequests).toHaveLength(before);
    expect(await world.rowsOf(merchant)).toEqual([]);
  });

  test('accepts an order to a bank account for manual transfer', async () => {
    const merchant = world.newMerchant({}, 'production');
    const { id: destinationId } = await saved(world, merchant, bankBody);

    expect((await world.client.create(merchant, { amount: 10_000, destinationId })).status).toBe(201);
  });
});

test('orders are unavailable while the gateway is unreachable', async () => {
  const mute = await startWorld({ settings: { GATEWAY_INTERNAL_URL: 'http://127.0.0.1:9' } });

  const client = createClient(mute.first.url, { repeatMs: 0 });
  const answer = await client.create(newTenant(), newOrder());

  expect(answer).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
  expect(mute.ledger.debitRequests).toEqual([]);
  await mute.stop();
});
