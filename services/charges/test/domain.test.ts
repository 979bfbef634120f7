import { describe, expect, test } from '@jest/globals';
import { declineReasonOf } from '../src/cards/decline-reasons.ts';
import { disputeReasonOf } from '../src/disputes/domain/dispute-reason.ts';
import { settlementOf } from '../src/domain/card.ts';
import { notPayable } from '../src/domain/charge-refusals.ts';
import { decidePayments } from '../src/domain/payment.ts';
import {
  addTo,
  type Compared,
  differencesOf,
  noTotals,
  type Statement,
} from '../src/reconciliation/domain/reconciliation.ts';

describe('payments of a charge of 2500', () => {
  const payment = (endToEndId: string, amount = 2500) => ({ endToEndId, amount, paidAt: new Date(0) });
  const none = new Set<string>();

  test('pay it with the first exact amount; the others are unmatched', () => {
    const [less, exact, again, more] = [
      payment('E1', 2499),
      payment('E2'),
      payment('E3'),
      payment('E4', 2501),
    ];

    expect(decidePayments({ status: 'PENDING', amount: 2500 }, [less, exact, again, more], none)).toEqual({
      paidBy: exact,
      unmatched: [less, again, more].map((payment) => ({ payment, cause: 'DUPLICATE' })),
    });
  });

  test.each([
    ['PAID', 'DUPLICATE'],
    ['REFUNDED', 'DUPLICATE'],
    ['DISPUTED', 'DUPLICATE'],
    ['EXPIRED', 'LATE'],
    ['CANCELLED', 'LATE'],
  ] as const)('are unmatched once it is %s: %s', (status, cause) => {
    expect(decidePayments({ status, amount: 2500 }, [payment('E1')], none)).toEqual({
      paidBy: null,
      unmatched: [{ payment: payment('E1'), cause }],
    });
  });
});

test('a refusal says that a charge is being paid', () => {
  expect(notPayable('PENDING').message).toBe('the charge is being paid at this moment');
});

const settles = (
  paidAt: string,
  settlementDays: number,
  settlementCalendar: 'calendar' | 'banking' = 'calendar',
) => settlementOf(new Date(paidAt), { settlementDays, settlementCalendar }).toISOString();

test('D+0 is available at once in calendar and banking days', () => {
  const paidAt = '2026-11-22T01:30:00.123Z';

  expect([settles(paidAt, 0), settles(paidAt, 0, 'banking')]).toEqual([paidAt, paidAt]);
});

test.each([
  ['of the morning', '2026-11-20T12:00:00Z', 1, '2026-11-21T03:00:00.000Z'],
  [
    'of 22:00 in São Paulo, which is the next day in UTC',
    '2026-11-21T01:00:00Z',
    1,
    '2026-11-21T03:00:00.000Z',
  ],
  ['of the last instant of a day', '2026-11-21T02:59:59.999Z', 30, '2026-12-20T03:00:00.000Z'],
  ['of the first instant of a day', '2026-11-21T03:00:00Z', 30, '2026-12-21T03:00:00.000Z'],
])('a payment %s settles at midnight in São Paulo', (_when, paidAt, days, at) => {
  expect(settles(paidAt, days)).toBe(at);
});

test.each([
  ['on a Friday', '2026-11-27T20:00:00Z', 1, '2026-11-30T03:00:00.000Z'],
  ['on a Saturday', '2026-11-28T20:00:00Z', 1, '2026-11-30T03:00:00.000Z'],
  ['before Carnival', '2026-02-13T20:00:00Z', 2, '2026-02-19T03:00:00.000Z'],
])('in banking days a payment %s settles on a banking day', (_when, paidAt, days, at) => {
  expect(settles(paidAt, days, 'banking')).toBe(at);
});

const says = (received: number, returned = 0, lost = 0): Statement => ({ received, returned, lost });

function compared(sides: Partial<Compared>): Compared {
  return {
    paymentMethod: 'PIX',
    merchantId: 'merchant-1',
    chargeId: 'charge-1',
    unexpectedPaymentId: null,
    providerReference: 'E1',
    txid: null,
    provider: says(100),
    charges: says(100),
    ledger: says(100),
    undecided: 0,
    ...sides,
  };
}

describe('the records of provider, charges and ledger', () => {
  test.each<[string, Partial<Compared>]>([
    ['paid', {}],
    ['refunded in part', { provider: says(100, 40), charges: says(100, 40), ledger: says(100, 40) }],
    ['lost', { provider: says(100, 0, 9), charges: says(100, 0, 9), ledger: says(100, 0, 9) }],
    ['disputed and already taken by the provider', { provider: says(100, 0, 100), undecided: 100 }],
    ['returned by the acquirer before its record', { provider: says(100, 100), charges: null, ledger: null }],
  ])('have no differences when a payment was %s', (_what, sides) => {
    expect(differencesOf(compared(sides))).toEqual([]);
  });
});

describe('a difference', () => {
  test.each<[string, Partial<Compared>, object[]]>([
    [
      'the provider has no payment',
      { provider: null },
      [{ what: 'RECEIVED', provider: null, charges: 100, ledger: 100 }],
    ],
    [
      'the books have no payment',
      { ledger: null },
      [{ what: 'RECEIVED', provider: 100, charges: 100, ledger: null }],
    ],
    [
      'only the provider has the payment',
      { charges: null, ledger: null },
      [{ what: 'RECEIVED', provider: 100, charges: null, ledger: null }],
    ],
    [
      'only the books have the payment and its refund',
      { provider: null, charges: null, ledger: says(100, 5) },
      [
        { what: 'RECEIVED', provider: null, charges: null, ledger: 100 },
        { what: 'RETURNED', provider: null, charges: null, ledger: 5 },
      ],
    ],
    [
      'a cent is missing',
      { charges: says(99) },
      [{ what: 'RECEIVED', provider: 100, charges: 99, ledger: 100 }],
    ],
    [
      'the provider has not returned a refund',
      { charges: says(100, 40), ledger: says(100, 40) },
      [{ what: 'RETURNED', provider: 0, charges: 40, ledger: 40 }],
    ],
    [
      'the acquirer took money back without a dispute',
      { paymentMethod: 'CARD', provider: says(100, 0, 100) },
      [{ what: 'LOST', provider: 100, charges: 0, ledger: 0 }],
    ],
    [
      'the books have no lost dispute',
      { charges: says(100, 0, 30), provider: says(100, 0, 30), undecided: 10 },
      [{ what: 'LOST', provider: 30, charges: 30, ledger: 0 }],
    ],
    [
      'the provider took more than the disputed amount',
      { provider: says(100, 0, 31), undecided: 30 },
      [{ what: 'LOST', provider: 31, charges: 0, ledger: 0 }],
    ],
    [
      'a lost amount is not taken and another dispute is open',
      { charges: says(100, 0, 30), ledger: says(100, 0, 30), undecided: 20 },
      [{ what: 'LOST', provider: 0, charges: 30, ledger: 30 }],
    ],
  ])('appears when %s', (_what, sides, expected) => {
    expect(differencesOf(compared(sides))).toEqual(expected.map((each) => expect.objectContaining(each)));
  });
});

test('totals add up each side’s amounts by method', () => {
  const totals = noTotals();

  addTo(totals, compared({ provider: says(100, 1, 2), ledger: null }));
  addTo(totals, compared({ provider: says(10) }));
  addTo(totals, compared({ paymentMethod: 'CARD' }));
  addTo(totals, compared({ provider: says(7, 7), charges: null, ledger: null }));

  expect(totals).toEqual({
    PIX: {
      received: { provider: 110, charges: 200, ledger: 100 },
      returned: { provider: 1, charges: 0, ledger: 0 },
      lost: { provider: 2, charges: 0, ledger: 0 },
    },
    CARD: {
      received: { provider: 100, charges: 100, ledger: 100 },
      returned: { provider: 0, charges: 0, ledger: 0 },
      lost: { provider: 0, charges: 0, ledger: 0 },
    },
  });
});

test.each([
  ['FRAUD', 'FRAUD'],
  ['fraud', 'FRAUD'],
  ['10.4', 'FRAUD'],
  ['4837', 'FRAUD'],
  ['OPERATIONAL_FLAW', 'OPERATIONAL'],
  ['12.5', 'OPERATIONAL'],
  ['12.6.1', 'DUPLICATE'],
  ['4834', 'DUPLICATE'],
  ['13.1', 'NOT_RECEIVED'],
  ['not received', 'NOT_RECEIVED'],
  ['13.3', 'NOT_AS_DESCRIBED'],
  ['4853', 'NOT_AS_DESCRIBED'],
  ['13.7', 'CANCELLED'],
  ['canceled', 'CANCELLED'],
  ['11.3', 'AUTHORIZATION'],
  ['4808', 'AUTHORIZATION'],
  ['CHARGEBACK', 'OTHER'],
  ['110.4', 'OTHER'],
  ['', 'OTHER'],
])('the network’s reason “%s” is %s', (written, reason) => {
  expect(disputeReasonOf(written)).toBe(reason);
});

/**
 * Codes of two digits are from ABECS, codes of three digits from Amex, and codes of four digits from Pagar.me
 * until August 2026. Other codes are unknown.
 */
const codes = {
  card_declined: ['04', '1999', '9999', '00', '', 'constructor', '__proto__'],
  do_not_honor: ['05', '5', '100', '200', '1000', '2000'],
  invalid_transaction: ['12', '13', '64'],
  invalid_card: ['14', '56', '1011'],
  invalid_installments: ['19', '23'],
  incorrect_pin: ['38', '55', '1017'],
  lost_card: ['41', '1032', '2008'],
  stolen_card: ['43', '2009'],
  closed_account: ['46'],
  insufficient_funds: ['51', '116', '1016', ' 51 '],
  expired_card: ['54', '101', '1001', '2001'],
  transaction_not_allowed: ['57', '58'],
  suspected_fraud: ['59', '1002'],
  limit_exceeded: ['61', '65', '75'],
  restricted_card: ['62', '78', '1004', '1025'],
  invalid_cvv: ['63', '122', '1022'],
};

test.each(Object.entries(codes).flatMap(([reason, of]) => of.map((code) => [code, reason])))(
  'the decline code %j means %s',
  (code, reason) => {
    expect(declineReasonOf(code ?? '')).toBe(reason);
  },
);
