import { expect, test } from '@jest/globals';
import { error500, eventually, TICK_MS } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { blockingAnswer } from '../support/blocking-answer.ts';
import { startCardWorld } from '../support/card-world.ts';

/**
 * The provider's timeout is longer than the time for which a test blocks an answer. The lease is long enough
 * for a busy machine.
 */
const LONG_TIMEOUTS = { providerTimeoutMs: 150_000, cardMaxWaitMs: 4_000, leaseMs: 3_000 };
const IDLE = { scheduleEveryMs: 600_000 };

const world = worldOfFile(() => startCardWorld({ tuning: { ...LONG_TIMEOUTS, ...IDLE } }));

/** Waits until the lease on an order has ended. */
const isFree = ({ externalId }: Record<string, unknown>) =>
  eventually(async () => {
    const free =
      'SELECT 1 FROM charges WHERE external_id = $1 AND (lease_until IS NULL OR lease_until <= now())';
    expect(await world.database.query(free, [externalId])).toHaveLength(1);
  });
test('a caller sends no order after its lease has ended', async () => {
  const { shop, card, order, id } = await world.unanswered({}, error500);
  const blocked = blockingAnswer();
  world.acquirer.next('find', blocked.behaviour);
  const late = world.client.create(shop, order);
  await blocked.arrived;
  await isFree(order);

  const second = await world.client.create(shop, order);
  blocked.release();

  const { status, error } = await late;
  expect([second.status, status, error?.code]).toEqual([200, 503, 'PROVIDER_UNAVAILABLE']);
  expect(world.acquirer.requestsFor(id, 'pay')).toHaveLength(2);
  expect(world.acquirer.book.ofCard(card)).toMatchObject([{ status: 'paid', canceledAmount: 0 }]);
});

test('a late replica does not repeat another replica’s void', async () => {
  const { order, payment } = await world.unanswered();
  const first = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await world.letPass(order.externalId, 0);
  await world.become(order.externalId, { acquirer_id: payment?.id });
  const blocked = blockingAnswer();
  world.acquirer.next('inspect', blocked.behaviour);
  await world.letPass(order.externalId, 15 * 60);
  await blocked.arrived;
  const second = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided', is_voiding: false });

  blocked.release();
  await first.stop();

  expect(world.acquirer.requestsFor(payment?.id ?? '', 'cancel')).toHaveLength(1);
  expect(payment).toMatchObject({ status: 'canceled', canceledAmount: 2500 });
  await world.become(order.externalId, { status: 'DECLINED', decline_reason: 'voided', is_watched: false });
  await second.stop();
});

test('a replica ends no attempt after its lease has ended', async () => {
  const { order } = await world.unanswered({ fate: 'processing' });
  const blocked = blockingAnswer(() => ({ status: 200, body: { data: [] } }));
  world.acquirer.next('find', blocked.behaviour);
  const first = await world.startReplica({ scheduleEveryMs: TICK_MS });
  await world.letPass(order.externalId, 121);
  await blocked.arrived;
  await isFree(order);
  const second = await world.startReplica({ scheduleEveryMs: TICK_MS });
  const rests = `SELECT 1 FROM charges WHERE external_id = $1 AND lease_token IS NULL
    AND next_check_at > now()`;
  await eventually(async () => expect(await world.database.query(rests, [order.externalId])).toHaveLength(1));

  blocked.release();
  await first.stop();

  await world.become(order.externalId, { status: 'PENDING', decline_reason: null });
  await second.stop();
});
