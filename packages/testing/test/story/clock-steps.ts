import fc from 'fast-check';

const UNIT = 10_000;
const amount = fc.integer({ min: 1, max: 9 }).map((tens) => tens * UNIT);
const days = fc.integer({ min: 1, max: 40 });
const which = fc.nat({ max: 9 });

/**
 * The refund amounts, in cents, for which the sandbox provider refuses the refund, delays it, or delays and
 * then refuses it.
 */
export const refundAmounts = { refused: 6_666, slow: 7_777, 'slow and refused': 8_888 } as const;

const kinds = {
  pix: fc.record({ kind: fc.constant('pix' as const), amount }),
  card: fc.record({ kind: fc.constant('card' as const), amount }),
  unpaid: fc.record({ kind: fc.constant('unpaid' as const), days: fc.integer({ min: 1, max: 20 }) }),
  refund: fc.record({
    kind: fc.constant('refund' as const),
    which,
    how: fc.constantFrom('whole', 'net', 'refused', 'slow', 'slow and refused'),
    days,
  }),
  dispute: fc.record({ kind: fc.constant('dispute' as const), which, isPart: fc.boolean() }),
  resolve: fc.record({
    kind: fc.constant('resolve' as const),
    which,
    outcome: fc.constantFrom('MERCHANT', 'CUSTOMER', 'CANCELLED'),
  }),
  withdraw: fc.record({
    kind: fc.constant('withdraw' as const),
    percent: fc.integer({ min: 10, max: 110 }),
    to: fc.constantFrom('paid', 'failed', 'held'),
  }),
  end: fc.record({
    kind: fc.constant('end' as const),
    which,
    how: fc.constantFrom('complete', 'fail', 'reject'),
  }),
  advance: fc.record({ kind: fc.constant('advance' as const), days }),
};

type Kinds = { [K in keyof typeof kinds]: (typeof kinds)[K] extends fc.Arbitrary<infer S> ? S : never };
export type StepOf<K extends keyof Kinds> = Kinds[K];
export type Step = Kinds[keyof Kinds];

export const kindOf = (step: Step) => ('how' in step ? `${step.kind} ${step.how}` : step.kind);

export const kindsOfSteps = [
  ...['pix', 'card', 'unpaid', 'dispute', 'resolve', 'withdraw', 'advance'],
  ...['whole', 'net', 'refused', 'slow', 'slow and refused'].map((how) => `refund ${how}`),
  ...['complete', 'fail', 'reject'].map((how) => `end ${how}`),
];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: kinds.pix },
  { weight: 3, arbitrary: kinds.card },
  { weight: 1, arbitrary: kinds.unpaid },
  { weight: 4, arbitrary: kinds.refund },
  { weight: 3, arbitrary: kinds.dispute },
  { weight: 3, arbitrary: kinds.resolve },
  { weight: 3, arbitrary: kinds.withdraw },
  { weight: 3, arbitrary: kinds.end },
  { weight: 4, arbitrary: kinds.advance },
);

/** Returns random histories. Each history is a list of steps that begins with a payment. */
export function historiesOf(seed: number, count: number): Step[][] {
  const history = fc
    .tuple(fc.oneof(kinds.pix, kinds.card), fc.array(step, { minLength: 6, maxLength: 14, size: 'max' }))
    .map(([first, rest]) => [first, ...rest]);
  return fc.sample(history, { seed, numRuns: count });
}
