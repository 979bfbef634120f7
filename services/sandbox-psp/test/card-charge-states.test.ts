import { describe, expect, test } from '@jest/globals';
import {
  type CardChargeStatus,
  chargeBack,
  endCardCharge,
  newCardCharge,
  refundCardCharge,
} from '../src/domain/card-charge.ts';

describe('the states of a card charge', () => {
  const now = new Date();
  const card = {
    id: 'c',
    brand: 'Visa',
    firstSix: '400000',
    lastFour: '0010',
    outcome: 'LATE_APPROVED' as const,
  };
  const order = {
    clientId: 'shop',
    code: 'a',
    idempotencyKey: null,
    amount: 100,
    installments: 1,
    card,
    createdAt: now,
  };
  const inState = (status: CardChargeStatus) => ({ ...newCardCharge(order), status });

  test.each([
    ['processing', { end: 'paid' }],
    ['paid', { part: 'paid', refund: 'canceled', chargeBack: 'chargedback' }],
    ['failed', {}],
    ['canceled', {}],
    ['chargedback', {}],
  ] as const)('from %s: %j and nothing else', (status, steps) => {
    const charge = inState(status);
    const taken = {
      end: () => endCardCharge(charge, now),
      part: () => refundCardCharge(charge, 1, now),
      refund: () => refundCardCharge(charge, undefined, now),
      chargeBack: () => chargeBack(charge, { amount: undefined, reason: 'x', now }),
    };

    const reached = Object.entries(taken).flatMap(([name, step]) => {
      try {
        return [[name, step().status]];
      } catch {
        return [];
      }
    });

    expect(Object.fromEntries(reached)).toEqual(steps);
  });
});
