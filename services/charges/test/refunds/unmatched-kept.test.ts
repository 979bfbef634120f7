import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from '../support/identity.ts';
import { namesOf, startRefundWorld } from '../support/refund-world.ts';
import { comesTo, unmatchedOf } from '../support/unmatched.ts';

const world = worldOfFile(() => startRefundWorld({ settings: { UNEXPECTED_PAYMENTS: 'hold' } }));

const book = () => world.provider.book;

/**
 * Adds a payment to the provider's list. The payment names a charge that this database has lost, for example
 * after a restore.
 */
const forgotten = () => book().payKey(2500, newId().replaceAll('-', '')).endToEndId;

/** Waits until two later refunds are done. The scheduler has then had time to return any other payment. */
async function letClockTurn(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const charge = await world.paidCharge();
    await charge.refund();
    await charge.becomes('DONE');
  }
}

test('UNEXPECTED_PAYMENTS=hold stops all returns until it is changed', async () => {
  const tenant = newTenant();
  const cancelled = await world.client.newCharge(tenant, { amount: 2500 });
  await world.client.cancel(tenant, cancelled.id);
  const late = book().pay(cancelled.txid, { insists: true })[0]?.endToEndId ?? '';
  const [back, credited] = [forgotten(), forgotten()];

  await world.client.notify(cancelled.txid);
  for (const number of [back, credited]) await world.notify({ pix: [{ endToEndId: number }] });
  const pending = await Promise.all(
    [late, back, credited].map((number) => comesTo(world, number, 'RETURNING')),
  );
  await letClockTurn();

  for (const { id, endToEndId } of pending) {
    expect(await unmatchedOf(world, endToEndId)).toMatchObject([{ status: 'RETURNING', attempts: 0 }]);
    const expectedEvents = endToEndId === late ? ['payment.unexpected'] : [];
    expect(namesOf(await world.eventsOf(id))).toEqual(['unexpected_payment.received', ...expectedEvents]);
    expect(world.provider.requestsFor(endToEndId, 'refund')).toEqual([]);
  }
  await world.database.query(
    `UPDATE unexpected_payments SET status = 'RETURN_REFUSED', failure = 'credited before the restore'
     WHERE end_to_end_id = $1`,
    [credited],
  );
  const returning = await world.startReplica({}, { UNEXPECTED_PAYMENTS: 'return' });
  try {
    for (const number of [late, back]) await comesTo(world, number, 'RETURNED');
    expect(await unmatchedOf(world, credited)).toMatchObject([{ status: 'RETURN_REFUSED', attempts: 0 }]);
    expect(book().returns.of(credited)).toEqual([]);
  } finally {
    await returning.stop();
  }
});

test('UNEXPECTED_PAYMENTS=hold does not stop payments or refunds', async () => {
  const charge = await world.paidCharge();
  expect((await charge.now()).status).toBe('PAID');

  await charge.refund();

  await charge.becomes('DONE');
  await eventually(async () => expect((await charge.now()).status).toBe('REFUNDED'));
  expect(charge.returned()).toHaveLength(1);
});
