import { describe, expect, test } from '@jest/globals';
import {
  addTo,
  type Compared,
  differencesOf,
  noTotals,
  type Statement,
} from '../src/reconciliation/domain/reconciliation.ts';

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
