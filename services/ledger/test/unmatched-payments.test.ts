import { describe, expect, test } from '@jest/globals';
import { PLATFORM_ID } from '@plataforma/kernel';
import { soundWorld } from './support/books.ts';
import { unmatchedOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = soundWorld(startWorld);

const nobody = { merchantId: PLATFORM_ID, environment: 'sandbox' } as const;
const received = { 'clearing:PIX': -700, suspense: 700 };
const returned = { 'clearing:PIX': 700, suspense: -700 };

const walletsAndRows = () =>
  world.database.query('SELECT merchant_id FROM wallets UNION ALL SELECT id FROM wallet_transactions');

describe('an unmatched payment', () => {
  test.each([
    ['of the platform', nobody],
    ['of a merchant', newTenant()],
  ])('%s waits in suspense outside all wallets until its return', async (_whose, tenant) => {
    const payment = unmatchedOf(tenant);
    await world.deliver(payment.received);
    const before = await world.entriesOf(payment.id);

    await world.deliver(payment.returned);

    expect(before).toEqual({ unexpected_payment_received: received });
    expect(await world.entriesOf(payment.id)).toEqual({
      unexpected_payment_received: received,
      unexpected_payment_returned: returned,
    });
    expect(await walletsAndRows()).toEqual([]);
  });

  test('with its return announced first is posted completely, once', async () => {
    const payment = unmatchedOf(nobody);

    await world.deliver(payment.returned);
    await world.deliver(payment.received, payment.returned);

    expect(await world.entriesOf(payment.id)).toEqual({
      unexpected_payment_received: received,
      unexpected_payment_returned: returned,
    });
  });

  test('is returned only with its own amount', async () => {
    const payment = unmatchedOf(nobody);
    await world.deliver(payment.received);

    await world.deliver({ ...payment.returned, data: { ...payment.returned.data, amount: 800 } });

    expect(await world.entriesOf(payment.id)).toEqual({ unexpected_payment_received: received });
  });

  test('is posted once by two replicas in any event order', async () => {
    const other = await world.startReplica();
    const payments = Array.from({ length: 200 }, () => unmatchedOf(nobody));

    await world.deliver(
      ...payments.flatMap(({ received: first, returned: second }) => [second, first, second]),
    );

    const [row] = await world.database.query(
      `SELECT count(*) AS entries, count(DISTINCT e.reference) AS payments FROM journal_entries e
       WHERE e.reference = ANY ($1::uuid[])`,
      [payments.map(({ id }) => id)],
    );
    expect(row).toEqual({ entries: 400, payments: 200 });
    expect(await world.deadLetters()).toEqual([]);
    await other.stop();
  });
});

test('the database refuses a wallet of the platform', async () => {
  const creation = world.database.query('INSERT INTO wallets (merchant_id, environment) VALUES ($1, $2)', [
    PLATFORM_ID,
    'sandbox',
  ]);

  await expect(creation).rejects.toMatchObject({ code: '23514', constraint: 'wallets_merchant' });
});
