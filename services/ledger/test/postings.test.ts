import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { post } from '../src/domain/books.ts';
import { chargePaid } from '../src/domain/charge-postings.ts';
import type { Fact, FactOf } from '../src/domain/fact.ts';
import { applyPosting } from '../src/domain/posting.ts';
import { emptyWallet } from '../src/domain/wallet.ts';
import { at, emptyBooks, origin, tenants, toCome } from './support/stories.ts';

const [tenant] = tenants;
const outer = { ...tenant, ...origin };
const [charge, card, id] = [newId(), newId(), newId()];

const paid: FactOf<'charge_paid'> = {
  ...outer,
  kind: 'charge_paid',
  reference: charge,
  method: 'PIX',
  amount: 1_000,
  fee: 10,
  externalId: 'a',
  settlesAt: null,
};
const paidByCard: Fact = { ...paid, reference: card, method: 'CARD', externalId: 'b', settlesAt: toCome };
const ofCharge = { ...outer, reference: id, chargeId: charge, method: 'PIX', amount: 400 } as const;
const refund: Fact = { ...ofCharge, kind: 'refund', externalId: 'a' };
const opened: Fact = { ...ofCharge, kind: 'dispute_opened' };
const withdrawal = { ...outer, reference: id, netAmount: 300, fee: 5 };
const created: Fact = { ...withdrawal, kind: 'withdrawal_created', method: 'TED' };
const byOperator = { ...outer, reference: id, memo: 'why' };
const blocked: Fact = { ...byOperator, reference: newId(), kind: 'block', amount: 600 };
/** A withdrawal that uses up the whole balance. */
const spent: Fact = { ...created, reference: newId(), netAmount: 985 };
const unmatched = { ...outer, reference: id, method: 'PIX', amount: 70 } as const;

type Expected = [Record<string, number>, [string, number][]];

/** The cases: a name, the facts that are posted first, the tested fact, and its expected lines and rows. */
const cases: [string, Fact[], Fact, Expected][] = [
  [
    'a Pix charge that is paid',
    [],
    paid,
    [
      { 'clearing:PIX': -1_000, 'available:PIX': 990, fees: 10 },
      [
        ['CREDIT', 1_000],
        ['FEE', -10],
      ],
    ],
  ],
  [
    'a card charge that settles later',
    [],
    paidByCard,
    [
      { 'clearing:CARD': -1_000, 'pending:CARD': 990, fees: 10 },
      [
        ['CREDIT', 1_000],
        ['FEE', -10],
      ],
    ],
  ],
  [
    'a receivable that is due',
    [paidByCard],
    { ...outer, kind: 'receivable_due', reference: card, chargeId: card },
    [{ 'pending:CARD': -990, 'available:CARD': 990 }, []],
  ],
  ['a refund', [paid], refund, [{ 'available:PIX': -400, 'clearing:PIX': 400 }, [['REFUND', -400]]]],
  [
    'a refund above the pending amount of its charge',
    [paid, paidByCard],
    { ...ofCharge, kind: 'refund', externalId: 'b', chargeId: card, method: 'CARD', amount: 1_000 },
    [{ 'pending:CARD': -990, 'available:PIX': -10, 'clearing:CARD': 1_000 }, [['REFUND', -1_000]]],
  ],
  [
    'a refund that is refused',
    [paid, refund],
    { ...ofCharge, kind: 'refund_refused' },
    [{ 'available:PIX': 400, 'clearing:PIX': -400 }, [['REFUND', 400]]],
  ],
  [
    'a dispute within the balance',
    [paid],
    opened,
    [{ 'available:PIX': -400, 'reserved:PIX': 400 }, [['DISPUTE_RESERVE', -400]]],
  ],
  [
    'a dispute above the balance',
    [paid, spent, { ...paid, reference: newId(), amount: 100, fee: 5 }],
    opened,
    [
      { 'available:PIX': -95, 'reserved:PIX': 95, dispute_debt: -305, dispute_exposure: 305 },
      [
        ['DISPUTE_RESERVE', -95],
        ['DISPUTE_DEFICIT', -305],
      ],
    ],
  ],
  [
    'a dispute that is won',
    [paid, spent, { ...paid, reference: newId(), amount: 100, fee: 5 }, opened],
    { ...ofCharge, kind: 'dispute_won' },
    [
      { 'reserved:PIX': -95, 'available:PIX': 95, dispute_debt: 305, dispute_exposure: -305 },
      [
        ['DISPUTE_RELEASE', 95],
        ['DISPUTE_DEFICIT', 305],
      ],
    ],
  ],
  [
    'a dispute of card money that is won',
    [paid, paidByCard, { ...opened, chargeId: card, method: 'CARD', amount: 1_000 }],
    { ...ofCharge, kind: 'dispute_won', chargeId: card, method: 'CARD', amount: 1_000 },
    [
      { 'reserved:CARD': -990, 'reserved:PIX': -10, 'pending:CARD': 990, 'available:PIX': 10 },
      [['DISPUTE_RELEASE', 1_000]],
    ],
  ],
  [
    'a dispute of card money that is won after its day',
    [
      { ...paidByCard, settlesAt: at },
      { ...opened, chargeId: card, method: 'CARD', amount: 700 },
    ],
    { ...ofCharge, kind: 'dispute_won', chargeId: card, method: 'CARD', amount: 700 },
    [{ 'reserved:CARD': -700, 'available:CARD': 700 }, [['DISPUTE_RELEASE', 700]]],
  ],
  [
    'a refund of card money that is refused after its day',
    [
      { ...paidByCard, settlesAt: at },
      { ...ofCharge, kind: 'refund', externalId: 'b', chargeId: card, method: 'CARD', amount: 700 },
    ],
    { ...ofCharge, kind: 'refund_refused', chargeId: card, method: 'CARD', amount: 700 },
    [{ 'available:CARD': 700, 'clearing:CARD': -700 }, [['REFUND', 700]]],
  ],
  [
    'a dispute that is lost',
    [paid, spent, { ...paid, reference: newId(), amount: 100, fee: 5 }, opened],
    { ...ofCharge, kind: 'dispute_lost' },
    [{ 'reserved:PIX': -95, dispute_exposure: -305, 'clearing:PIX': 400 }, []],
  ],
  [
    'a withdrawal',
    [paid],
    created,
    [
      { 'available:PIX': -305, payouts: 300, fees: 5 },
      [
        ['WITHDRAWAL', -300],
        ['FEE', -5],
      ],
    ],
  ],
  [
    'a withdrawal that is completed',
    [paid, created],
    { ...withdrawal, kind: 'withdrawal_completed' },
    [{ payouts: -300, 'clearing:PIX': 300 }, []],
  ],
  [
    'a withdrawal that is returned',
    [paid, created],
    { ...withdrawal, kind: 'withdrawal_returned' },
    [
      { 'available:PIX': 305, payouts: -300, fees: -5 },
      [
        ['WITHDRAWAL', 300],
        ['FEE', 5],
      ],
    ],
  ],
  ['a block', [paid], blocked, [{ 'available:PIX': -600, 'blocked:PIX': 600 }, [['DEBIT', -600]]]],
  [
    'an unblock',
    [paid, blocked],
    { ...byOperator, kind: 'unblock', amount: 200 },
    [{ 'blocked:PIX': -200, 'available:PIX': 200 }, [['CREDIT', 200]]],
  ],
  [
    'an adjustment upwards',
    [],
    { ...byOperator, kind: 'adjustment', amount: 50 },
    [{ 'available:PIX': 50, adjustments: -50 }, [['CREDIT', 50]]],
  ],
  [
    'an adjustment downwards',
    [paid],
    { ...byOperator, kind: 'adjustment', amount: -50 },
    [{ 'available:PIX': -50, adjustments: 50 }, [['DEBIT', -50]]],
  ],
  [
    'an unexpected payment',
    [],
    { ...unmatched, kind: 'unexpected_payment_received' },
    [{ 'clearing:PIX': -70, suspense: 70 }, []],
  ],
  [
    'an unexpected payment that is returned',
    [{ ...unmatched, kind: 'unexpected_payment_received' }],
    { ...unmatched, kind: 'unexpected_payment_returned' },
    [{ suspense: -70, 'clearing:PIX': 70 }, []],
  ],
];

describe('the posting', () => {
  test.each(cases)('of %s', (_what, before, fact, [lines, rows]) => {
    const books = emptyBooks();
    for (const one of before) expect(post(books, [one]).outcome.is).toBe('posted');

    const { outcome, entries } = post(books, [fact]);

    expect(outcome.is).toBe('posted');
    const [entry] = entries;
    expect(entry).toMatchObject({ kind: fact.kind, reference: fact.reference });
    expect(Object.fromEntries(entry?.lines.map(({ account, amount }) => [account, amount]) ?? [])).toEqual(
      lines,
    );
    expect(entry?.rows.map(({ type, amount }) => [type, amount])).toEqual(rows);
  });

  test.each([
    ['a payment', { ...paid, reference: newId(), amount: 900, fee: 0 }, 305],
    ['a withdrawal that is returned', { ...spent, kind: 'withdrawal_returned' as const }, 305],
    ['an adjustment', { ...byOperator, reference: newId(), kind: 'adjustment' as const, amount: 200 }, 200],
  ])('of debt paid by %s', (_what, credit, collected) => {
    const books = emptyBooks();
    const little = { ...paid, reference: newId(), amount: 100, fee: 5 };
    for (const one of [paid, spent, little, opened, { ...ofCharge, kind: 'dispute_lost' as const }]) {
      expect(post(books, [one]).outcome.is).toBe('posted');
    }

    const [, debt] = post(books, [credit]).entries;

    expect(debt).toMatchObject({
      kind: 'debt_collected',
      lines: [
        { account: 'available:PIX', amount: -collected },
        { account: 'dispute_debt', amount: collected },
      ],
      rows: [],
    });
  });
});

describe('an invalid posting', () => {
  const fact = { ...paid, amount: 100, fee: 1 };

  test.each([101, -1, 1_000_000])('is refused with a fee of %d on an amount of 100', (fee) => {
    expect(() => post(emptyBooks(), [{ ...fact, fee }])).toThrow(RangeError);
  });

  test('is refused when its sum exceeds the safe integers', () => {
    const books = emptyBooks();
    post(books, [{ ...fact, amount: Number.MAX_SAFE_INTEGER, fee: 0 }]);

    expect(() => post(books, [{ ...fact, reference: newId(), amount: 2 }])).toThrow(RangeError);
  });

  test.each([
    ['with rows that contradict its lines', { rows: [] }, 'disagree'],
    [
      'that debits missing money',
      { lines: [{ account: 'reserved:PIX', amount: -1 } as const] },
      'below zero',
    ],
    ['that collects more than the debt', { collectable: 1 }, 'more debt'],
    ['without lines and rows', { lines: [], rows: [] }, 'nothing'],
  ])('%s is refused', (_what, changes, message) => {
    const posting = chargePaid(fact);

    expect(() => applyPosting(emptyWallet(tenant), { ...posting, ...changes })).toThrow(message);
  });
});
