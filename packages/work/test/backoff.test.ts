import { describe, expect, test } from '@jest/globals';
import { type Backoff, delayAfter, delaySql, dueAfter, restUntil } from '../src/index.ts';

const doubling: Backoff = { kind: 'doubling', firstMs: 1_000, longestMs: 10_000 };
const steps: Backoff = { kind: 'steps', stepsMs: [2_000, 30_000] };
const now = new Date('2026-01-01T00:00:00.000Z');

describe('a delay', () => {
  test('doubles with each attempt, up to the longest', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempts) => delayAfter(doubling, attempts))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  test('is shortest before any attempt and longest after a million', () => {
    expect(delayAfter(doubling, 0)).toBe(1_000);
    expect(delayAfter(doubling, 1_000_000)).toBe(10_000);
  });

  test('varies by its share of jitter', () => {
    const spread: Backoff = { kind: 'doubling', firstMs: 1_000, longestMs: 10_000, jitter: 0.5 };

    expect(delayAfter(spread, 2, () => 0)).toBe(1_000);
    expect(delayAfter(spread, 2, () => 0.5)).toBe(1_500);
  });

  test('follows its steps and then ends', () => {
    expect([1, 2, 3].map((attempts) => delayAfter(steps, attempts))).toEqual([2_000, 30_000, null]);
  });
});

describe('the next attempt', () => {
  test('is due after the delay', () => {
    expect(dueAfter(doubling, { attempts: 2, now })).toEqual(new Date('2026-01-01T00:00:02.000Z'));
  });

  test('is not due after the last step', () => {
    expect(dueAfter(steps, { attempts: 3, now })).toBeNull();
  });

  test('waits for its time and is due at once afterwards', () => {
    const later = new Date(now.getTime() + 1);

    expect(restUntil(later, now)).toBe(later);
    expect(restUntil(now, later)).toBe(later);
  });
});

describe('a delay in SQL', () => {
  test('doubles up to the longest', () => {
    expect(delaySql(doubling, 'attempts')).toBe(
      "(least(1000 * power(2::float8, least(greatest(attempts, 1) - 1, 50)), 10000) * interval '1 millisecond')",
    );
  });

  test('varies by its share of jitter', () => {
    const spread: Backoff = { kind: 'doubling', firstMs: 1, longestMs: 2, jitter: 0.25 };

    expect(delaySql(spread, 'tries')).toContain('* (0.75 + 0.25 * random())');
  });

  test('follows its steps', () => {
    expect(delaySql(steps, 'attempts')).toBe(
      "((ARRAY[2000, 30000]::float8[])[greatest(attempts, 1)] * interval '1 millisecond')",
    );
  });

  test('refuses a negative or non-numeric delay', () => {
    expect(() => delaySql({ kind: 'steps', stepsMs: [Number.NaN] }, 'attempts')).toThrow(RangeError);
    expect(() => delaySql({ kind: 'steps', stepsMs: [-1] }, 'attempts')).toThrow(RangeError);
  });
});
