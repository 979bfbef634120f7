import { describe, expect, test } from '@jest/globals';
import { createLanes } from '../src/sending/lanes.ts';

const lanes = () => createLanes({ total: 64, perEndpoint: 8 });

describe('places for requests', () => {
  test('are few for an endpoint that has not answered yet', () => {
    const { offer, enter } = lanes();
    for (let i = 0; i < 3; i += 1) enter('a');

    expect(offer()).toEqual({ limit: 61, perLane: 4, busy: [{ configurationId: 'a', room: 1 }] });
  });

  test('are offered up to its limit to one that has answered, whatever it answered', () => {
    const { offer, enter, leave } = lanes();
    enter('a');
    leave('a', { wasSlow: false });
    const afterAnswer = offer();
    for (let i = 0; i < 5; i += 1) enter('a');

    expect(afterAnswer).toEqual({ limit: 64, perLane: 4, busy: [{ configurationId: 'a', room: 8 }] });
    expect(offer().busy).toEqual([{ configurationId: 'a', room: 2 }]);
  });

  test('are fewer for an endpoint that gave no answer in time, until it gives one', () => {
    const { offer, enter, leave } = lanes();
    enter('a');
    leave('a', { wasSlow: true });
    const afterSilence = offer();
    enter('a');
    leave('a', { wasSlow: false });

    expect(afterSilence.busy).toEqual([{ configurationId: 'a', room: 2 }]);
    expect(offer().busy).toEqual([{ configurationId: 'a', room: 8 }]);
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
