import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { OrderUnderTest, OrderWorld } from '@plataforma/testing/orders';
import type { FakePix } from './fake-pix.ts';
import { newTenant } from './identity.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';

const LONG_MS = 600_000;
const operations = { token: 'token', order: 'refund', find: 'find-refund' } as const;

const idle = {
  readListsEveryMs: LONG_MS,
  ...{ leaseMs: LONG_MS, refundLeaseMs: LONG_MS, refundRetryMs: LONG_MS, refundUnconfirmedMs: LONG_MS },
};

/**
 * The tunings for tests of orders that return money by Pix. `refundLeaseMs` is the lease of the caller that
 * requests a refund.
 */
const tunings = {
  idle,
  faulty: { ...idle, providerTimeoutMs: 2_000 },
  hasty: {
    readListsEveryMs: LONG_MS,
    scheduleEveryMs: LONG_MS,
    providerTimeoutMs: 150_000,
    refundLeaseMs: 3_000,
  },
};

/**
 * Starts a test environment whose first replica already has its access token. No replica reads the provider's
 * lists, because a reading would need a token too.
 */
export async function startPixWorld(pace: keyof typeof tunings): Promise<RefundWorld> {
  const world = await startRefundWorld({ tuning: tunings[pace] });
  await world.client.newCharge(newTenant());
  await eventually(async () => {
    await world.database.query(REST);
    expect(await world.database.query(DUE)).toEqual([]);
  });
  return world;
}

const REST = "UPDATE provider_cursors SET next_at = now() + interval '1 day' WHERE lease_token IS NULL";
const DUE =
  "SELECT 1 FROM provider_cursors WHERE lease_token IS NOT NULL OR next_at < now() + interval '1 hour'";

/** Scripts the provider's answers to orders that return money by Pix. */
export function pixScript({ next, always }: FakePix): OrderWorld['script'] {
  return {
    next: (operation, ...behaviours) => next(operations[operation], ...behaviours),
    always: (operation, behaviour) => always(operations[operation], behaviour),
  };
}

/** Returns functions that read and end the return of a payment at the provider. */
export function atPixProvider(
  { book, requestsFor }: FakePix,
  endToEndId: string,
): Pick<OrderUnderTest, 'requests' | 'paid' | 'end'> {
  return {
    requests: (operation) =>
      requestsFor(endToEndId, operations[operation]).map(({ id, body }) => `${id} ${body}`),
    paid: () => book.returns.of(endToEndId).filter(({ status }) => status === 'DEVOLVIDO').length,
    end: (how) => book.returns.end(endToEndId, how === 'DONE' ? 'DEVOLVIDO' : 'NAO_REALIZADO'),
  };
}
