import type { Evidence } from '../../src/chaos/check/evidence.ts';
import type { Call } from '../../src/chaos/history.ts';

export interface DoctoredMemory {
  name: string;
  doctor(evidence: Evidence): Evidence;
  /** All that go red. */
  invariants: number[];
  /** In the words of the findings that it is about. */
  finds: RegExp | RegExp[];
}

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

/** Another memory of the shop or the clients. */
export const doctoredMemory: DoctoredMemory[] = [
  {
    name: 'one key was answered in two ways',
    doctor: withCall(isOrder, ({ answer }) => ({ answer: { ...answer, again: true } })),
    invariants: [5],
    finds: /^call .* was answered otherwise than call/,
  },
  {
    name: 'a wallet was changed more often than it was ordered',
    doctor: (evidence) => ({
      ...evidence,
      calls: evidence.calls.filter(({ path }) => path !== '/v1/admin/ledger/adjustments'),
    }),
    invariants: [5],
    finds: /there are 1, and ordered were 0/,
  },
  {
    name: 'a client was told of a charge that was never there',
    doctor: withCall(isOrder, () => ({
      intent: 'another',
      idempotencyKey: null,
      ...answerOf({ id: 'none' }),
    })),
    invariants: [9],
    finds: /^call .* was answered 20\d, and of charges none is not there/,
  },
  {
    name: 'a client was answered with another’s order',
    doctor: withCall(isOrder, ({ body }) => ({
      intent: 'another',
      idempotencyKey: null,
      body: { ...body, amount: Number(body?.amount) + 1 },
    })),
    invariants: [9],
    finds: /^call .* was answered 20\d, and of charges .* is \[/,
  },
  {
    name: 'a key that was revoked has opened something',
    doctor: withCall(isOrder, () => ({ action: 'use-ended-key', method: 'GET' })),
    invariants: [9],
    finds: /^call .* was answered 20\d: use-ended-key/,
  },
  {
    name: 'a key has opened what is not its own',
    doctor: withCall(isOrder, () => ({ action: 'read-anothers', method: 'GET' })),
    invariants: [10],
    finds: /^call .* was answered 20\d: read-anothers/,
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
    finds: /^delivery .* came with other bytes than its event/,
  },
  {
    name: 'a webhook came without its signature',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) => (index === 0 ? { ...one, signature: null } : one)),
    }),
    invariants: [7],
    finds: /^delivery .* came without a signature of its configuration/,
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
    finds: /^delivery .* came again \d{5} ms after its success/,
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
    finds: /^delivery .* came again after 1500 ms instead of/,
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
    finds: /^delivery .* is for .*, and came to/,
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
    finds: /^delivery .* came to .followed/,
  },
  {
    name: 'a payout left though its wallet had too much',
    doctor: (evidence) => ({ ...evidence, leftUnproven: new Set(['one']) }),
    invariants: [3],
    finds: /^withdrawal one was paid out while its wallet had more than its entries say/,
  },
  {
    name: 'no shop has received what the platform calls delivered',
    doctor: (evidence) => ({ ...evidence, received: [] }),
    invariants: [7],
    finds: /^delivery .* is a success that no shop knows of/,
  },
];
