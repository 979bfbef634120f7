import { expect, test } from '@jest/globals';
import { providerRefundId } from '../src/domain/refund.ts';

test('a refund’s id at its provider has only letters and digits', () => {
  expect(providerRefundId({ id: '0199e2a4-8f6b-7c31-9d52-3a1f0b6c7d8e' })).toBe(
    '0199e2a48f6b7c319d523a1f0b6c7d8e',
  );
});
