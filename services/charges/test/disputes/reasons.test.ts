import { expect, test } from '@jest/globals';
import { disputeReasonOf } from '../../src/disputes/domain/dispute-reason.ts';

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
