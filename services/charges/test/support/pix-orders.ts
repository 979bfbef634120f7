import type { OrderUnderTest, OrderWorld } from '@plataforma/testing/orders';
import type { FakePix } from './fake-pix.ts';
import { newTenant } from './identity.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';

const LONG_MS = 600_000;
const operations = { token: 'token', order: 'refund', find: 'find-refund' } as const;

/** The provider's lists are out of the way. */
const UNREAD = { readListsEveryMs: LONG_MS };
const patient = {
  ...UNREAD,
  ...{ leaseMs: LONG_MS, refundPatienceMs: LONG_MS, refundRetryMs: LONG_MS, refundDoubtMs: LONG_MS },
};

/** Of money that goes back by Pix. A request that refunds has the lease of its patience. */
const tunings = {
  patient,
  faulty: { ...patient, providerTimeoutMs: 2_000 },
  hasty: { ...UNREAD, scheduleEveryMs: LONG_MS, providerTimeoutMs: 150_000, refundPatienceMs: 3_000 },
};

/** The first replica has its access token. */
export async function startPixWorld(pace: keyof typeof tunings): Promise<RefundWorld> {
  const world = await startRefundWorld({ tuning: tunings[pace] });
  await world.client.newCharge(newTenant());
  return world;
}

/** What the test decides about requests for money that goes back by Pix. */
export function pixScript({ next, always }: FakePix): OrderWorld['script'] {
  return {
    next: (operation, ...behaviours) => next(operations[operation], ...behaviours),
    always: (operation, behaviour) => always(operations[operation], behaviour),
  };
}

/** The return of one payment, as the provider knows it. */
export function atPixProvider(
  { book, requestsFor }: FakePix,
  endToEndId: string,
): Pick<OrderUnderTest, 'asked' | 'paid' | 'end'> {
  return {
    asked: (operation) =>
      requestsFor(endToEndId, operations[operation]).map(({ id, body }) => `${id} ${body}`),
    paid: () => book.returns.of(endToEndId).filter(({ status }) => status === 'DEVOLVIDO').length,
    end: (how) => book.returns.end(endToEndId, how === 'DONE' ? 'DEVOLVIDO' : 'NAO_REALIZADO'),
  };
}
