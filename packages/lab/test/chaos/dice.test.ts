import { describe, expect, test } from '@jest/globals';
import { type Dice, diceOf } from '../../src/chaos/dice.ts';

const throws = (dice: Dice, count = 1_000) => Array.from({ length: count }, () => dice.next());

describe('dice', () => {
  test('repeat their throws for the same seed only', () => {
    expect(throws(diceOf(7))).toEqual(throws(diceOf(7)));
    expect(throws(diceOf(7))).not.toEqual(throws(diceOf(8)));
  });

  test('with a name do not depend on other dice', () => {
    const [left, right] = [diceOf(7), diceOf(7)];
    throws(left, 13);

    expect(throws(left.named('faults'))).toEqual(throws(right.named('faults')));
    expect(throws(left.named('faults'))).not.toEqual(throws(left.named('actors')));
  });

  test('throw all numbers of a range about equally often', () => {
    const dice = diceOf('evenness');
    const counts = new Map<number, number>();
    for (let n = 0; n < 6_000; n += 1) {
      const thrown = dice.int(3, 8);
      counts.set(thrown, (counts.get(thrown) ?? 0) + 1);
    }

    expect([...counts.keys()].sort()).toEqual([3, 4, 5, 6, 7, 8]);
    expect(Math.min(...counts.values())).toBeGreaterThan(850);
  });

  test('choose by weight, and never a weight of zero', () => {
    const dice = diceOf('weights');
    const choices = [
      { weight: 0, value: 'never' },
      { weight: 1, value: 'seldom' },
      { weight: 9, value: 'often' },
    ];
    const chosen = Array.from({ length: 1_000 }, () => dice.weighted(choices));

    expect(chosen).not.toContain('never');
    expect(chosen.filter((value) => value === 'seldom').length).toBeGreaterThan(50);
    expect(chosen.filter((value) => value === 'often').length).toBeGreaterThan(800);
  });

  test('make unique version 4 UUIDs', () => {
    const dice = diceOf('ids');
    const ids = Array.from({ length: 500 }, () => dice.uuid());

    expect(new Set(ids).size).toBe(500);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('refuse to pick from an empty list', () => {
    expect(() => diceOf(1).pick([])).toThrow('nothing to pick from');
  });
});
