import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, RACES_MS, rounds } from '@plataforma/testing';
import { beforeFile, repeatWhileUndone, worldOfFile } from '@plataforma/testing/world';
import type { Answered, Client } from '../support/client.ts';
import { type PaidCharge, startRefundWorld } from '../support/refund-world.ts';

// The provider's timeout is long, because after a timeout on a busy machine the first caller would get a
// refusal.
const world = worldOfFile(() =>
  startRefundWorld({
    tuning: {
      scheduleEveryMs: 100,
      leaseMs: 600_000,
      refundLeaseMs: 600_000,
      refundRetryMs: 600_000,
      providerTimeoutMs: 60_000,
    },
  }),
);
const second = beforeFile(() => world.startReplica());

const ROUNDS = rounds(50);
/**
 * The answer to a caller whose lease ended before the order was sent. The scheduler finishes such a refund.
 */
const TOO_LATE = '503 PROVIDER_UNAVAILABLE';
const OTHERS = ['202 PROCESSING', '409 REQUEST_IN_PROGRESS', '409 CHARGE_NOT_REFUNDABLE'];

/**
 * Requests a refund, and repeats the request while the service is busy. Repeated requests make only one
 * refund.
 */
function refundOf(charge: PaidCharge, amount: number, client?: Client): Promise<Answered> {
  return repeatWhileUndone(
    () => charge.refund({ amount }, client),
    ({ status, error }) => status === 503 && error?.code === 'SERVICE_UNAVAILABLE',
  );
}

const outcomeOf = ({ status, error, data }: Answered) =>
  `${status} ${error?.code ?? (status === 202 ? Object(data).refund.status : '')}`;

/** Expects one answer 200. All other answers must be "pending" or "conflict". */
function expectOneWinner(answers: readonly Answered[]): void {
  const others = answers.map(outcomeOf).filter((outcome) => !outcome.startsWith('200'));
  for (const other of others) expect(OTHERS).toContain(other);
  expect(others).toHaveLength(answers.length - 1);
}

/**
 * Makes the refunds of a charge due now. Otherwise a test would wait long, because under load many attempts
 * outlast their leases and the backoff grows.
 */
const SOON = `
  UPDATE refunds SET next_check_at = now()
  WHERE charge_id = $1 AND status <> 'DONE' AND lease_token IS NULL AND next_check_at > now()`;

describe(`ten concurrent refunds of a charge at two replicas, ${ROUNDS} times`, () => {
  test(
    'make one debit, one return and one event',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const charge = await world.paidCharge();

        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) => refundOf(charge, 600, i % 2 ? world.client : second.client)),
        );

        expectOneWinner(answers);
        expect([charge.debited(), charge.returned().length]).toEqual([[600], 1]);
        expect(await charge.announced()).toEqual(['charge.refunded']);
        expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]);
      }
    },
    RACES_MS,
  );

  test(
    'without respect for leases make one refund',
    async () => {
      // The leases of the replica `hasty` are so short that they end during its work. The test stops `hasty`
      // at the end, because this replica would also resume the refunds of other tests.
      const hasty = await world.startReplica({ leaseMs: 300, refundLeaseMs: 300, scheduleEveryMs: 20 });
      for (let round = 0; round < ROUNDS; round += 1) {
        const charge = await world.paidCharge();

        const answers = await Promise.all(
          Array.from({ length: 10 }, () => refundOf(charge, 600, hasty.client)),
        );

        await eventually(async () => {
          await world.database.query(SOON, [charge.id]);
          expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]);
        });
        const { refundedAt } = await charge.now();
        for (const answer of answers) {
          const expected = { id: charge.id, refundedAmount: 600, refundedAt };
          if (answer.status === 200) expect(answer.data).toMatchObject(expected);
          else expect([...OTHERS, TOO_LATE]).toContain(outcomeOf(answer));
        }
        expect([charge.debited(), charge.returned().length]).toEqual([[600], 1]);
        expect(await charge.announced()).toEqual(['charge.refunded']);
        expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]);
      }
      await hasty.stop();
    },
    RACES_MS,
  );

  test(
    'in ten amounts make one refund',
    async () => {
      for (let round = 0; round < ROUNDS / 2; round += 1) {
        const charge = await world.paidCharge();

        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, i) =>
            refundOf(charge, 600 + i, i % 2 ? world.client : second.client),
          ),
        );

        expectOneWinner(answers);
        const { refundedAmount } = await charge.now();
        expect(answers.find(({ status }) => status === 200)?.data).toMatchObject({ refundedAmount });
        expect([charge.debited(), charge.returned().length]).toEqual([[refundedAmount], 1]);
        expect(await charge.announced()).toEqual(['charge.refunded']);
      }
    },
    RACES_MS,
  );
});

describe(`a concurrent refund and dispute at two replicas, ${ROUNDS} times`, () => {
  test(
    'never take more than was paid',
    async () => {
      const outcomes = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const charge = await world.paidCharge({ amount: 2500 });

        const [refund, dispute] = await Promise.all([
          sleep(round % 5).then(() => refundOf(charge, 2500)),
          sleep(round % 3).then(() => world.dispute(charge.id, {}, second.client)),
        ]);

        const { status } = await charge.now();
        const outcome = [refund.status, refund.error?.code, dispute.status, dispute.error?.code].join(' ');
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
        if (status === 'REFUNDED') {
          expect(outcome).toMatch(/^200 {2}409 (REQUEST_IN_PROGRESS|INVALID_STATE)$/);
          expect([charge.debited(), charge.returned().length]).toEqual([[2500], 1]);
        } else {
          expect([status, outcome]).toEqual(['DISPUTED', '409 CHARGE_NOT_REFUNDABLE 201 ']);
          expect([charge.debited(), charge.returned()]).toEqual([[], []]);
        }
      }
      // Check this only after many rounds. In a few rounds, every round may have the same outcome.
      if (ROUNDS >= 50) expect([...outcomes.keys()].sort()).toEqual(['DISPUTED', 'REFUNDED']);
    },
    RACES_MS,
  );

  test(
    'dispute at most the amount that a partial refund leaves',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const charge = await world.paidCharge({ amount: 2500 });

        await Promise.all([
          sleep(round % 5).then(() => refundOf(charge, 2000)),
          eventually(async () =>
            expect((await world.dispute(charge.id, { amount: 2500 }, second.client)).status).toBe(201),
          ),
        ]);

        const { refundedAmount } = await charge.now();
        const { data } = await world.operate(`/charges/${charge.id}`);
        const disputed = refundedAmount === null ? 2500 : 500;
        expect(data).toMatchObject({ disputes: [{ amount: disputed, status: 'OPEN' }] });
        expect(charge.debited()).toEqual(refundedAmount === null ? [] : [2000]);
      }
    },
    RACES_MS,
  );
});
