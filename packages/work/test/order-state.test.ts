import { describe, expect, test } from '@jest/globals';
import { next } from '@plataforma/kernel';
import { isEnd, orderStatuses, orderTransitions, orderVerbs } from '../src/index.ts';

describe('the table of external orders', () => {
  test('has no transition out of an end', () => {
    const ways = orderStatuses.filter(isEnd).flatMap((status) => Object.keys(orderTransitions[status]));

    expect(ways).toEqual([]);
  });

  test('has no transition back to STORED', () => {
    const targets = orderStatuses.flatMap((status) =>
      orderVerbs.map((verb) => next(orderTransitions, status, verb)),
    );

    expect(targets).not.toContain('STORED');
  });
});
