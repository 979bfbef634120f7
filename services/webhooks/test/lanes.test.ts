import { describe, expect, test } from '@jest/globals';
import { createLanes, type Lanes } from '../src/sending/lanes.ts';

const lanes = () => createLanes({ total: 256, perEndpoint: 8 });

const roomOf = (of: Lanes, standing: 'prompt' | 'untried' | 'slow', id: string) =>
  of.offer(standing, [id]).rooms[0]?.room;

/** Has it called once, and answer, or not. */
function call(of: Lanes, id: string, { isSlow }: { isSlow: boolean }): void {
  of.enter(id);
  of.leave(id, { wasSlow: isSlow });
}

/** As many endpoints of one sort as there are, one after the other, take all that they are offered. */
function takeAll(of: Lanes, standing: 'prompt' | 'untried' | 'slow', ids: readonly string[]): number {
  const taken = ids.flatMap((id) => of.take(Array.from({ length: 8 }, () => ({ configurationId: id }))));
  expect(of.offer(standing, ids).limit).toBe(0);
  return taken.length;
}

describe('places for requests', () => {
  test('are few for an endpoint that has not answered yet', () => {
    const some = lanes();
    for (let i = 0; i < 3; i += 1) some.enter('a');

    expect(some.offer('untried', ['a', 'b'])).toEqual({
      limit: 61,
      rooms: expect.arrayContaining([
        { configurationId: 'a', room: 1 },
        { configurationId: 'b', room: 4 },
      ]),
    });
  });

  test('are offered up to its limit to one that has answered, whatever it answered', () => {
    const some = lanes();
    call(some, 'a', { isSlow: false });
    const afterAnswer = roomOf(some, 'prompt', 'a');
    for (let i = 0; i < 5; i += 1) some.enter('a');

    expect([afterAnswer, roomOf(some, 'prompt', 'a')]).toEqual([8, 3]);
  });

  test('are fewer for an endpoint that gave no answer in time, until it gives one', () => {
    const some = lanes();
    call(some, 'a', { isSlow: true });
    const afterSilence = roomOf(some, 'slow', 'a');
    call(some, 'a', { isSlow: false });

    expect([afterSilence, roomOf(some, 'prompt', 'a')]).toEqual([2, 8]);
  });

  test('go with their endpoint when it turns out to be slow', () => {
    const some = lanes();
    for (let i = 0; i < 4; i += 1) some.enter('a');

    expect(some.leave('a', { wasSlow: true })).toBe('untried');
    expect([some.offer('untried', []).limit, some.offer('slow', []).limit]).toEqual([64, 61]);
  });

  test('are left for those that answer, however many others hang', () => {
    const some = lanes();
    const known = Array.from({ length: 300 }, (_, n) => `hangs ${n}`);
    for (const id of known) call(some, id, { isSlow: true });
    call(some, 'answers', { isSlow: false });

    const slow = takeAll(some, 'slow', known);
    const untried = takeAll(
      some,
      'untried',
      Array.from({ length: 300 }, (_, n) => `new ${n}`),
    );

    expect([slow, untried, roomOf(some, 'prompt', 'answers')]).toEqual([64, 64, 8]);
  });

  test('are offered in another order each time', () => {
    const some = lanes();
    const ids = Array.from({ length: 20 }, (_, n) => `endpoint ${n}`);

    const firsts = Array.from({ length: 100 }, () => some.offer('untried', ids).rooms[0]?.configurationId);

    expect(new Set(firsts).size).toBeGreaterThan(5);
  });
});
