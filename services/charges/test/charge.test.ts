import { describe, expect, test } from '@jest/globals';
import { notPayable } from '../src/domain/charge-refusals.ts';
import { decidePayments } from '../src/domain/payment.ts';

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
