import { describe, expect, test } from '@jest/globals';
import { createLease, LeaseOver } from '../src/index.ts';

const until = new Date(1_000);
const leaseAt = (now: number) => createLease({ token: 'mine', until, clock: () => new Date(now) });

describe('a lease', () => {
  test('lets a request leave until it expires', () => {
    expect(() => leaseAt(999).check()).not.toThrow();
    expect(() => leaseAt(1_000).check()).toThrow(LeaseOver);
  });

  test('allows saving a result while the row has its token', () => {
    expect(leaseAt(5_000).isSuperseded({ leaseToken: 'mine' })).toBe(false);
    expect(leaseAt(0).isSuperseded({ leaseToken: 'another' })).toBe(true);
    expect(leaseAt(0).isSuperseded({ leaseToken: null })).toBe(true);
  });

  test('refuses a late request as temporarily unavailable', () => {
    expect(() => leaseAt(1_000).check()).toThrow(
      expect.objectContaining({ kind: 'unavailable', code: 'PROVIDER_UNAVAILABLE' }),
    );
  });
});
