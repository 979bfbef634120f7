import { afterEach, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startWithdrawals } from '../../src/service.ts';
import { type Client, createClient, newOrder } from '../support/client.ts';
import { endsOf } from '../support/ends-of.ts';
import { type ForgetfulDatabase, startForgetfulDatabase } from '../support/forgetful-database.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);
let database: ForgetfulDatabase;
let service: Awaited<ReturnType<typeof startWithdrawals>>;
let client: Client;

afterEach(async () => {
  await service.stop();
  await database.stop();
});

/**
 * Starts a replica behind a database proxy that can lose answers. The replica's scheduler does not run during
 * the test.
 */
async function startForgetful(): Promise<void> {
  database = await startForgetfulDatabase(world.env.DATABASE_URL ?? '');
  const env = { ...world.env, DATABASE_URL: database.url, MIGRATE_ON_START: 'false' };
  service = await startWithdrawals(env, { scheduleEveryMs: 600_000, creationLeaseMs: 300 });
  client = createClient(service.url);
}

/** Loses the answer to the COMMIT with which the merchant's next withdrawal becomes PENDING. */
function loseOpening({ merchantId }: Tenant, loss: 'broken' | 'away'): void {
  world.ledger.nextFor(merchantId, (perform) => {
    const debit = world.ledger.debitRequests.find((each) => each.merchantId === merchantId);
    void database.loseCommitOf(String(debit?.id), loss);
    return perform();
  });
}

describe('a lost answer to the last COMMIT', () => {
  test.each([
    ['with a key', 'k'],
    ['without a key', undefined],
  ])('gives a caller %s the created withdrawal', async (_what, key) => {
    await startForgetful();
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    loseOpening(merchant, 'broken');

    const answer = await client.create(merchant, order, key);

    const rows = await world.rowsOf(merchant);
    expect(rows).toMatchObject([{ status: 'PENDING' }]);
    expect(answer).toMatchObject({ status: 201, data: { id: rows[0]?.id } });
    if (key) {
      const again = await world.client.create(merchant, order, key);
      expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([answer.data, 'true']);
    }
  });

  test.each([
    ['with a key may retry', 'k', 503],
    ['without a key gets no report of an undone order', undefined, 500],
  ])('and a lost database: a caller %s', async (_what, key, status) => {
    await startForgetful();
    const merchant = world.newMerchant({}, 'production');
    const order = newOrder();
    loseOpening(merchant, 'away');

    const answer = await client.create(merchant, order, key);

    const rows = await world.rowsOf(merchant);
    expect([answer.status, rows]).toMatchObject([status, [{ status: 'PENDING' }]]);
    expect(await endsOf(world, String(rows[0]?.id))).toEqual([]);
    if (key) {
      expect(await world.client.create(merchant, order, key)).toMatchObject({
        status: 201,
        data: { id: rows[0]?.id },
      });
    }
  });
});

test.each([
  ['with a key is finished', 'k', 'PENDING'],
  ['without a key is undone', undefined, 'ABANDONED'],
])('after a lost first COMMIT answer a creation %s', async (_what, key, status) => {
  await startForgetful();
  const merchant = world.newMerchant({}, 'production');
  const order = newOrder();
  void database.loseCommitOf(merchant.merchantId, 'broken');

  const answer = await client.create(merchant, order, key);

  expect(answer).toMatchObject({ status: 503, error: { code: 'SERVICE_UNAVAILABLE' } });
  await eventually(async () => expect(await world.rowsOf(merchant)).toMatchObject([{ status }]));
  const rows = await world.rowsOf(merchant);
  expect(await endsOf(world, String(rows[0]?.id))).toHaveLength(key ? 0 : 1);
  if (key) {
    expect(await world.client.create(merchant, order, key)).toMatchObject({
      status: 201,
      data: { id: rows[0]?.id },
    });
  }
});
