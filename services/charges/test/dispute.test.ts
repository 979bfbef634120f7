import { describe, expect, test } from '@jest/globals';
import { disputeStatusAfter, disputeStatuses, disputeSteps } from '../src/domain/dispute.ts';

const possible = new Map([
  ['OPEN send_evidence', 'UNDER_REVIEW'],
  ['OPEN win', 'RESOLVED_MERCHANT'],
  ['OPEN lose', 'RESOLVED_CUSTOMER'],
  ['OPEN cancel', 'CANCELLED'],
  ['UNDER_REVIEW win', 'RESOLVED_MERCHANT'],
  ['UNDER_REVIEW lose', 'RESOLVED_CUSTOMER'],
  ['UNDER_REVIEW cancel', 'CANCELLED'],
]);
const pairs = disputeStatuses.flatMap((status) => disputeSteps.map((step) => [status, step] as const));

describe('the life of a dispute', () => {
  test.each(pairs)('from %s by the step "%s" is as decided', (status, step) => {
    const next = possible.get(`${status} ${step}`);

    if (next) expect(disputeStatusAfter(status, step)).toBe(next);
    else
      expect(() => disputeStatusAfter(status, step)).toThrow(
        expect.objectContaining({ code: 'INVALID_STATE' }),
      );
  });
});
