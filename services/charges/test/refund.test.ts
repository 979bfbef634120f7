import { describe, expect, test } from '@jest/globals';
import { canBecome, providerRefundId, refundStatuses } from '../src/domain/refund.ts';

const possible = new Set([
  'REQUESTED DEBITED',
  'REQUESTED REFUSED',
  'DEBITED ACCEPTED',
  'DEBITED DONE',
  'DEBITED REFUSED',
  'ACCEPTED DONE',
  'ACCEPTED REFUSED',
]);
const pairs = refundStatuses.flatMap((from) => refundStatuses.map((to) => [from, to] as const));

describe('the life of a refund', () => {
  test.each(pairs)('from %s to %s is as decided', (from, to) => {
    expect(canBecome(from, to)).toBe(possible.has(`${from} ${to}`));
  });

  test('knows no other statuses than these', () => {
    expect(pairs).toHaveLength(5 * 5);
  });
});

test('a refund is known to its provider by its own id, in letters and digits', () => {
  expect(providerRefundId({ id: '0199e2a4-8f6b-7c31-9d52-3a1f0b6c7d8e' })).toBe(
    '0199e2a48f6b7c319d523a1f0b6c7d8e',
  );
});
