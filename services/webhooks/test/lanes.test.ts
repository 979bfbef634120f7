import { describe, expect, test } from '@jest/globals';
import { createLanes } from '../src/sending/lanes.ts';

const lanes = () => createLanes({ total: 64, perEndpoint: 8 });

describe('places for requests', () => {
  test('are offered to each endpoint up to its limit', () => {
    const { offer, enter } = lanes();
    for (let i = 0; i < 3; i += 1) enter('a');

    expect(offer()).toEqual({ limit: 61, perLane: 7, busy: [{ configurationId: 'a', room: 4 }] });
  });

  test('come back when a request ends', () => {
    const { offer, enter, leave } = lanes();
    enter('a');
    leave('a', { wasSlow: false });

    expect(offer()).toEqual({ limit: 64, perLane: 8, busy: [] });
  });

  test('are few for an endpoint that gave no answer in time, until it gives one', () => {
    const { offer, enter, leave } = lanes();
    enter('a');
    leave('a', { wasSlow: true });
    const afterSilence = offer();
    enter('a');
    leave('a', { wasSlow: false });

    expect(afterSilence.busy).toEqual([{ configurationId: 'a', room: 2 }]);
    expect(offer().busy).toEqual([]);
  });

  test('are left for the twentieth endpoint when nineteen take all they are offered', () => {
    const { offer, enter } = lanes();
    for (let endpoint = 0; endpoint < 19; endpoint += 1) {
      const { perLane } = offer();
      for (let i = 0; i < perLane; i += 1) enter(`hanging ${endpoint}`);
    }

    const { limit, perLane } = offer();

    expect(Math.min(limit, perLane)).toBeGreaterThan(0);
  });
});
