import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newDelays } from './support/delays.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ tuning: { scheduleEveryMs: 2 } }));
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(50);
const SEED = 20_261_121;

/**
 * Lets a charge be paid, be cancelled by the merchant and expire at the same time, each after a random delay.
 */
async function race(delay: (max: number) => number) {
  const tenant = newTenant();
  const { id, txid } = await world.client.newCharge(tenant);
  const [cancelled] = await Promise.all([
    sleep(delay(8)).then(() => second.client.cancel(tenant, id)),
    // The payment has a longer maximum delay than the cancellation, because a cancellation takes longer to
    // reach the provider.
    sleep(delay(40)).then(() => {
      world.provider.book.pay(txid);
      return world.client.notify(txid);
    }),
    sleep(delay(8)).then(() => world.letTimeRunOut(id)),
  ]);
  await eventually(async () => expect((await world.client.charge(tenant, id)).status).not.toBe('PENDING'));
  // The provider repeats a callback that arrived too early.
  await world.client.notify(txid);
  const charge = await world.client.charge(tenant, id);
  const payments = await world.paymentsOf(id);
  const events = (await world.eventsOf(id)).map(({ type }) => type);
  return { cancelled, charge, payments, events, cob: world.provider.book.find(txid) };
}

describe(`payment, cancellation and expiry at once, ${ROUNDS} times (seed ${SEED})`, () => {
  test('have one winner; events and provider agree', async () => {
    const delay = newDelays(SEED);
    const winners = new Map<string, number>();

    for (let round = 0; round < ROUNDS; round += 1) {
      const { cancelled, charge, payments, events, cob } = await race(delay);

      const { status, endToEndId } = charge;
      const wasPaid = cob?.status === 'CONCLUIDA';
      winners.set(status, (winners.get(status) ?? 0) + 1);
      expect(cancelled.status).toBe(status === 'CANCELLED' ? 200 : 409);
      expect(cancelled.error?.code).toBe(status === 'CANCELLED' ? undefined : 'CHARGE_NOT_CANCELLABLE');
      expect(payments.map((row) => row.end_to_end_id)).toEqual(cob?.payments.map((pix) => pix.endToEndId));
      expect(payments.map((row) => row.is_expected)).toEqual(wasPaid ? [status === 'PAID'] : []);
      expect(endToEndId).toBe(status === 'PAID' ? cob?.payments[0]?.endToEndId : null);
      if (status === 'PAID') expect([events, cob?.status]).toEqual([['charge.paid'], 'CONCLUIDA']);
      if (status === 'EXPIRED') expect(events).toEqual(['charge.expired']);
      if (status === 'CANCELLED')
        expect([events, cob?.status]).toEqual([[], 'REMOVIDA_PELO_USUARIO_RECEBEDOR']);
    }

    if (ROUNDS >= 50) expect(winners.size).toBeGreaterThan(1);
  });
});
