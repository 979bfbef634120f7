import { describe, expect, test } from '@jest/globals';
import { Refusal } from '@plataforma/kernel';
import { notCancellable, notPayable } from '../src/domain/charge-refusals.ts';
import { demandSameOrder, feeOf } from '../src/domain/new-charge.ts';
import { demandDocument } from '../src/domain/payer.ts';
import { decidePayments } from '../src/domain/payment.ts';

describe('a fee', () => {
  test.each([
    [100, 0, 0, 0],
    [149, 100, 0, 1],
    [150, 100, 0, 2],
    [2500, 99, 10, 35],
    [100, 5_000, 80, 100],
    [99_999_999_999, 9_999, 0, 99_989_999_999],
  ])('of %i at %i bps and %i is %i', (amount, feeBps, feeFixed, fee) => {
    expect(feeOf(amount, { feeBps, feeFixed })).toBe(fee);
  });
});

describe('settling a charge of 2500', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 12, 0, second));
  const payment = (endToEndId: string, amount = 2500) => ({ endToEndId, amount, paidAt: at(1) });
  const pending = { status: 'PENDING', amount: 2500 } as const;
  const none = new Set<string>();

  test('takes the first payment of exactly its amount, and all others are unexpected', () => {
    const [less, exact, again, more] = [
      payment('E1', 2499),
      payment('E2'),
      payment('E3'),
      payment('E4', 2501),
    ];

    expect(decidePayments(pending, [less, exact, again, more], none)).toEqual({
      paidBy: exact,
      unexpected: [less, again, more].map((payment) => ({ payment, cause: 'DUPLICATE' })),
    });
  });

  test('is not done by payments that make the amount together', () => {
    const halves = [payment('E1', 1250), payment('E2', 1250)];

    expect(decidePayments(pending, halves, none)).toEqual({
      paidBy: null,
      unexpected: halves.map((payment) => ({ payment, cause: 'WRONG_AMOUNT' })),
    });
  });

  test('passes over what is recorded already', () => {
    expect(decidePayments(pending, [payment('E1')], new Set(['E1']))).toEqual({
      paidBy: null,
      unexpected: [],
    });
  });

  test('counts a payment told of twice once', () => {
    expect(decidePayments(pending, [payment('E1'), payment('E1')], none)).toEqual({
      paidBy: payment('E1'),
      unexpected: [],
    });
  });

  test.each([
    ['PAID', 'DUPLICATE'],
    ['REFUNDED', 'DUPLICATE'],
    ['DISPUTED', 'DUPLICATE'],
    ['EXPIRED', 'LATE'],
    ['CANCELLED', 'LATE'],
  ] as const)('finds all money unexpected once it is %s: %s', (status, cause) => {
    expect(decidePayments({ status, amount: 2500 }, [payment('E1')], none)).toEqual({
      paidBy: null,
      unexpected: [{ payment: payment('E1'), cause }],
    });
  });

  test('of no payments is nothing', () => {
    expect(decidePayments(pending, [], none)).toEqual({ paidBy: null, unexpected: [] });
  });
});

describe('the same order', () => {
  const order = {
    amount: 2500,
    paymentMethod: 'PIX',
    payerName: 'Maria',
    payerDocument: '12345678909',
    card: null,
  } as const;

  test('is welcome again', () => {
    expect(() => demandSameOrder(order, { ...order })).not.toThrow();
  });

  test.each([{ amount: 2501 }, { payerName: 'maria' }, { payerDocument: '52513127765' }])(
    'is another one with %j',
    (changes) => {
      expect(() => demandSameOrder(order, { ...order, ...changes })).toThrow(
        expect.objectContaining({ kind: 'conflict', code: 'EXTERNAL_ID_CONFLICT' }),
      );
    },
  );

  test('is another one in all that differs, in the order of a request', () => {
    const card = {
      ...{ installments: 1, acquirerId: null, brand: null, lastDigits: null, declineReason: null },
      ...{ nsu: null, authorizationCode: null, isVoiding: false, isWatched: false },
    };
    const inThree = { ...order, amount: 2501, card: { ...card, installments: 3 } };

    expect(() => demandSameOrder({ ...order, card }, inThree)).toThrow(
      'externalId: was used for a charge with another amount, installments',
    );
  });
});

describe('refusals', () => {
  test('say why a charge can’t be cancelled', () => {
    expect(notCancellable('EXPIRED').message).toBe('the charge is EXPIRED and can’t be cancelled');
    expect(notCancellable('PENDING').message).toBe(
      'the charge has received a payment and can’t be cancelled',
    );
  });

  test('say why a charge can’t be paid', () => {
    expect(notPayable('CANCELLED').message).toBe('the charge is CANCELLED');
    expect(notPayable('PENDING').message).toBe('the charge is being paid at this moment');
  });

  test('name the document in production only', () => {
    expect(() => demandDocument('12345678900', 'sandbox')).not.toThrow();
    expect(() => demandDocument('12345678900', 'production')).toThrow(Refusal);
  });
});
