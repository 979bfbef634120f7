import { answeringWith, eventually, nothingHere, refused, TICK_MS } from '@plataforma/testing';
import type { OrderAdapter, OrderUnderTest, Recorded } from '@plataforma/testing/orders';
import { alarmsAbout } from './alarms.ts';
import { newTenant } from './identity.ts';
import { atPixProvider, pixScript, startPixWorld } from './pix-orders.ts';
import { namesOf, type RefundWorld } from './refund-world.ts';
import { unmatchedOf } from './unmatched.ts';
import type { Replica } from './world.ts';

const AMOUNT = 2500;
const ends: Record<string, Recorded> = { RETURNED: 'DONE', RETURN_REFUSED: 'FAILED' };
const paces = {
  late: { scheduleEveryMs: TICK_MS, leaseMs: 1_500 },
  prompt: { scheduleEveryMs: TICK_MS, leaseMs: 30_000 },
};

/**
 * Adapts returns to the tests of orders. A return is an order that sends a payment back, because the payment
 * arrived too late for its charge.
 */
export const returnOrders: OrderAdapter<Replica> = {
  async start(pace) {
    const world = await startPixWorld(pace);
    const { client, provider } = world;
    return {
      database: world.database,
      script: pixScript(provider),
      startReplica: (of) => world.startReplica(paces[of]),
      async begin({ isSlow = false } = {}) {
        const tenant = newTenant();
        const { id, txid } = await client.newCharge(tenant, { amount: AMOUNT });
        await client.cancel(tenant, id);
        const endToEndId = provider.book.pay(txid, { insists: true })[0]?.endToEndId ?? '';
        if (isSlow) provider.book.returns.willBe(endToEndId, 'EM_PROCESSAMENTO');
        // The test repeats the callback until the service accepts it, as every provider does.
        await eventually(async () => {
          const { status } = await client.notify(txid);
          if (status !== 200) throw new Error(`the notice was answered ${status}`);
        });
        return orderOf(world, endToEndId, { subject: 'return', chargeId: id, ...tenant });
      },
      stop: world.stop,
    };
  },
  row: { table: 'unexpected_payments', key: 'end_to_end_id', isWatched: 'is_watched' },
  refusing: refused,
  knowsNone: nothingHere,
  anotherAmount: {
    operation: 'order',
    behaviour: answeringWith({ valor: '1.00' }),
    amount: 100,
    recorded: 'DONE',
  },
  announces: {
    DONE: ['unexpected_payment.returned', 'payment.unexpected'],
    FAILED: ['payment.unexpected'],
    REFUSED: ['payment.unexpected'],
  },
  faults: { order: [], find: [] },
};

function orderOf(world: RefundWorld, endToEndId: string, about: Record<string, unknown>): OrderUnderTest {
  const payment = async () => (await unmatchedOf(world, endToEndId))[0];
  return {
    key: endToEndId,
    about,
    amount: AMOUNT,
    recorded: async () => ends[(await payment())?.status ?? ''] ?? 'OPEN',
    shown: async () => ({ ...(await payment()), attempts: null }),
    // Leaves out the first two events, which announce the arrival of the payment to the ledger and the
    // merchant.
    announced: async () => namesOf(await world.eventsOf((await payment())?.id ?? '')).slice(2),
    alarms: async () => alarmsAbout(world.client, (await payment())?.id ?? ''),
    ...atPixProvider(world.provider, endToEndId),
    notify: () => world.notify({ pix: [{ endToEndId }] }),
    answer: Promise.resolve(null),
  };
}
