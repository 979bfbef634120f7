import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { holding, refused, TICK_MS } from '@plataforma/testing';
import { newTenant } from '../support/identity.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { comesTo } from '../support/unexpected.ts';
import type { Replica } from '../support/world.ts';

/** The provider answers a held request whenever the test lets it; a busy ledger has time to answer within a lease. */
const PATIENT = { providerTimeoutMs: 150_000, refundPatienceMs: 3_000 };
/** It does nothing by itself. */
const IDLE = { scheduleEveryMs: 600_000, readListsEveryMs: 600_000 };

let world: RefundWorld;

beforeAll(async () => {
  world = await startRefundWorld({ tuning: { ...PATIENT, ...IDLE } });
});
afterAll(() => world.stop());

/** A replica that waits for its access token until the test lets it have one, with the provider's lists out of its way. */
async function startWaiting(
  of: RefundWorld,
  tuning: { scheduleEveryMs: number },
): Promise<{ replica: Replica; asked: Promise<void>; release(): void }> {
  const held = holding();
  of.provider.next('token', held.behaviour);
  return {
    replica: await of.startReplica({ ...IDLE, ...tuning }),
    asked: held.arrived,
    release: held.release,
  };
}

test('a refund that waited for its token until a second replica had given it up is not ordered', async () => {
  const charge = await world.paidCharge();
  const { replica, asked, release } = await startWaiting(world, IDLE);
  const refunding = charge.refund({ amount: 2465 }, replica.client);
  await asked;
  world.provider.next('refund', refused);
  await world.startReplica({ scheduleEveryMs: TICK_MS });
  await charge.becomes('REFUSED');

  release();
  const { status, error } = await refunding;

  expect([status, error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect(world.provider.requestsFor(charge.pix, 'refund')).toHaveLength(1);
  expect(charge.returned()).toEqual([]);
  expect(await charge.announced()).toEqual(['refund.refused', 'charge.refund_failed']);
});

test('a return that waited for its token until a second replica had given it up is not ordered', async () => {
  const idle = await startRefundWorld({ tuning: { ...PATIENT, ...IDLE } });
  const tenant = newTenant();
  const { id, txid } = await idle.client.newCharge(tenant, { amount: 2500 });
  await idle.client.cancel(tenant, id);
  const endToEndId = idle.provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
  await idle.client.notify(txid);
  const { asked, release } = await startWaiting(idle, { scheduleEveryMs: TICK_MS });
  await asked;
  idle.provider.next('refund', refused);
  await idle.startReplica({ scheduleEveryMs: TICK_MS });
  await comesTo(idle, endToEndId, 'RETURN_REFUSED');

  release();
  // A service that stops finishes what it is at.
  await idle.stop();

  expect(idle.provider.requestsFor(endToEndId, 'refund')).toHaveLength(1);
  expect(idle.provider.book.returns.of(endToEndId)).toEqual([]);
});
