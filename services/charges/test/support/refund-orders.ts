import { expect } from '@jest/globals';
import { answeringWith, nothingHere, refused, TICK_MS } from '@plataforma/testing';
import type { OrderAdapter, OrderUnderTest, Recorded } from '@plataforma/testing/orders';
import { alarmsAbout } from './alarms.ts';
import { atPixProvider, pixScript, startPixWorld } from './pix-orders.ts';
import type { PaidCharge, RefundWorld } from './refund-world.ts';
import type { Replica } from './world.ts';

const AMOUNT = 900;
const ends: Record<string, Recorded> = { DONE: 'DONE', REFUSED: 'FAILED' };
/**
 * The settings of the two replicas. The scheduler of the `late` replica is idle, so this replica works only
 * on the requests that it receives.
 */
const paces = { late: {}, prompt: { scheduleEveryMs: TICK_MS, leaseMs: 30_000 } };

export const refundOrders: OrderAdapter<Replica> = {
  async start(pace) {
    const world = await startPixWorld(pace);
    const begun: PaidCharge[] = [];
    return {
      database: world.database,
      script: pixScript(world.provider),
      startReplica: (of) => world.startReplica(paces[of]),
      async begin({ isSlow = false, at } = {}) {
        const charge = await world.paidCharge({ amount: 2500 });
        begun.push(charge);
        if (isSlow) world.provider.book.returns.willBe(charge.pix, 'EM_PROCESSAMENTO');
        const answered = charge.refund({ amount: AMOUNT }, at?.client);
        return {
          ...orderOf(world, charge),
          answer: answered.then(({ status, error }) => [status, error?.code]),
        };
      },
      async stop() {
        expect(begun.map((charge) => charge.debited())).toEqual(begun.map(() => [AMOUNT]));
        await world.stop();
      },
    };
  },
  row: { table: 'refunds', key: 'charge_id', isWatched: 'is_watched' },
  refusing: refused,
  knowsNone: nothingHere,
  anotherAmount: {
    operation: 'order',
    behaviour: answeringWith({ valor: '8.99' }),
    amount: 899,
    recorded: 'DONE',
  },
  announces: {
    DONE: ['charge.refunded'],
    FAILED: ['refund.refused', 'charge.refund_failed'],
    REFUSED: ['refund.refused'],
  },
  faults: { order: [['answers with another refund', answeringWith({ id: 'another' })]], find: [] },
};

function orderOf(
  { client, provider, notify }: RefundWorld,
  charge: PaidCharge,
): Omit<OrderUnderTest, 'answer'> {
  const last = async () => (await charge.refunds()).at(-1);
  return {
    key: charge.id,
    about: { subject: 'refund', chargeId: charge.id, ...charge.tenant },
    amount: AMOUNT,
    recorded: async () => ends[(await last())?.status ?? ''] ?? 'OPEN',
    shown: charge.now,
    announced: charge.announced,
    alarms: async () => alarmsAbout(client, (await last())?.id ?? ''),
    ...atPixProvider(provider, charge.pix),
    notify: () => notify({ pix: [{ endToEndId: charge.pix }] }),
  };
}
