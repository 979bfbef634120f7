import type { Truth } from '@plataforma/testing';
import type { Evidence } from '../src/check/evidence.ts';
import type { Call } from '../src/history.ts';

export interface DoctoredMemory {
  name: string;
  doctor(evidence: Evidence): Evidence;
  /** All that go red. */
  invariants: number[];
  /** In the words of the finding that it is about. */
  finds?: RegExp;
}

const withTruth = (change: (truth: Truth) => Partial<Truth>) => (evidence: Evidence) => ({
  ...evidence,
  truth: { ...evidence.truth, ...change(evidence.truth) },
});
const repeated = <T>(all: readonly T[], which: (one: T) => boolean) => [
  ...all,
  ...all.filter(which).slice(0, 1),
];
const withCall =
  (which: (call: Call) => boolean, change: (call: Call) => Partial<Call>) => (evidence: Evidence) => ({
    ...evidence,
    calls: [
      ...evidence.calls,
      ...evidence.calls
        .filter(which)
        .slice(0, 1)
        .map((call) => ({ ...call, ...change(call) })),
    ],
  });
const isOrder = ({ method, path }: Call) => method === 'POST' && path === '/v1/charges';
const answerOf = (data: Record<string, unknown>) => ({ answer: { success: true, data } });

/** Another memory of the bank, the shop or the clients. */
export const doctoredMemory: DoctoredMemory[] = [
  {
    name: 'the bank has paid a withdrawal twice',
    doctor: withTruth(({ payouts }) => ({
      payouts: repeated(payouts, ({ status }) => status === 'REALIZADO'),
    })),
    invariants: [3],
  },
  {
    name: 'the bank has paid a withdrawal that failed',
    doctor: withTruth(({ payouts }) => ({
      payouts: payouts.map((payout) => ({ ...payout, status: 'REALIZADO' })),
    })),
    invariants: [3],
  },
  {
    name: 'the bank has received what was never recorded',
    doctor: withTruth(({ payments }) => ({
      payments: [...payments, ...payments.slice(0, 1).map((payment) => ({ ...payment, endToEndId: 'E2' }))],
    })),
    invariants: [2],
  },
  {
    name: 'a card was charged twice',
    doctor: withTruth(({ cardCharges }) => ({ cardCharges: repeated(cardCharges, () => true) })),
    invariants: [2],
  },
  {
    name: 'the bank has sent a refund twice',
    doctor: withTruth(({ refunds }) => ({
      refunds: [...refunds, ...refunds.slice(0, 1).map((refund) => ({ ...refund, id: 'another' }))],
    })),
    invariants: [4],
  },
  {
    name: 'the bank has sent no refund',
    doctor: withTruth(() => ({ refunds: [] })),
    invariants: [4],
  },
  {
    name: 'one key was answered in two ways',
    doctor: withCall(isOrder, ({ answer }) => ({ answer: { ...answer, again: true } })),
    invariants: [5],
  },
  {
    name: 'a wallet was changed more often than it was ordered',
    doctor: (evidence) => ({
      ...evidence,
      calls: evidence.calls.filter(({ path }) => path !== '/v1/admin/ledger/adjustments'),
    }),
    invariants: [5],
  },
  {
    name: 'a client was told of a charge that was never there',
    doctor: withCall(isOrder, () => ({
      intent: 'another',
      idempotencyKey: null,
      ...answerOf({ id: 'none' }),
    })),
    invariants: [9],
  },
  {
    name: 'a client was answered with another’s order',
    doctor: withCall(isOrder, ({ body }) => ({
      intent: 'another',
      idempotencyKey: null,
      body: { ...body, amount: Number(body?.amount) + 1 },
    })),
    invariants: [9],
  },
  {
    name: 'a key that was revoked has opened something',
    doctor: withCall(isOrder, () => ({ action: 'use-ended-key', method: 'GET' })),
    invariants: [9],
  },
  {
    name: 'a key has opened what is not its own',
    doctor: withCall(isOrder, () => ({ action: 'read-anothers-charge', method: 'GET' })),
    invariants: [10],
  },
  {
    name: 'a webhook came with other bytes',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) =>
        index === 0 ? { ...one, body: Buffer.from('{}') } : one,
      ),
    }),
    invariants: [7],
  },
  {
    name: 'a webhook came without its signature',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) => (index === 0 ? { ...one, signature: null } : one)),
    }),
    invariants: [7],
  },
  {
    name: 'a webhook came again long after its success',
    doctor: (evidence) => ({
      ...evidence,
      received: [
        ...evidence.received,
        ...evidence.received.slice(0, 1).map((one) => ({ ...one, at: one.at + 90_000 })),
      ],
    }),
    invariants: [7],
  },
  {
    name: 'a webhook came again before its time',
    doctor: (evidence) => {
      const [again] = evidence.received.filter(({ status }) => status === 500);
      return {
        ...evidence,
        received: evidence.received.map((one) =>
          one.id === again?.id && one.status === 200 ? { ...one, at: again.at + 1_500 } : one,
        ),
      };
    },
    invariants: [7],
  },
  {
    name: 'a webhook came to another’s address',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) =>
        index === 0 ? { ...one, configurationPath: '/hooks/3' } : one,
      ),
    }),
    invariants: [10],
  },
  {
    name: 'a webhook has followed where it was led',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) =>
        index === 0 ? { ...one, configurationPath: '/followed' } : one,
      ),
    }),
    invariants: [10],
  },
  {
    name: 'no shop has received what the platform calls delivered',
    doctor: (evidence) => ({ ...evidence, received: [] }),
    invariants: [7],
  },
];
