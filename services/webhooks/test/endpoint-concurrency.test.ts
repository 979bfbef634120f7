import { describe, expect, test } from '@jest/globals';
import {
  createEndpointConcurrency,
  type EndpointConcurrency,
  type Health,
} from '../src/sending/endpoint-concurrency.ts';

const concurrency = () => createEndpointConcurrency({ total: 256, perEndpoint: 8 });

const slotsOf = (of: EndpointConcurrency, health: Health, id: string) =>
  of.offer(health, [id]).shares[0]?.slots;

/** Has it called once, and answer, or not. */
function call(of: EndpointConcurrency, id: string, { isSlow }: { isSlow: boolean }): void {
  of.enter(id);
  of.leave(id, { wasSlow: isSlow });
}

/** As many endpoints of one sort as there are, one after the other, take all that they are offered. */
function takeAll(of: EndpointConcurrency, health: Health, ids: readonly string[]): number {
  const taken = ids.flatMap((id) => of.take(Array.from({ length: 8 }, () => ({ configurationId: id }))));
  expect(of.offer(health, ids).limit).toBe(0);
  return taken.length;
}

describe('slots for requests', () => {
  test('are few for an endpoint that has not answered yet', () => {
    const some = concurrency();
    for (let i = 0; i < 3; i += 1) some.enter('a');

    expect(some.offer('unknown', ['a', 'b'])).toEqual({
      limit: 61,
      shares: expect.arrayContaining([
        { configurationId: 'a', slots: 1 },
        { configurationId: 'b', slots: 4 },
      ]),
    });
  });

  test('are offered up to its limit to one that has answered, whatever it answered', () => {
    const some = concurrency();
    call(some, 'a', { isSlow: false });
    const afterAnswer = slotsOf(some, 'healthy', 'a');
    for (let i = 0; i < 5; i += 1) some.enter('a');

    expect([afterAnswer, slotsOf(some, 'healthy', 'a')]).toEqual([8, 3]);
  });

  test('are fewer for an endpoint that gave no answer in time, until it gives one', () => {
    const some = concurrency();
    call(some, 'a', { isSlow: true });
    const afterSilence = slotsOf(some, 'slow', 'a');
    call(some, 'a', { isSlow: false });

    expect([afterSilence, slotsOf(some, 'healthy', 'a')]).toEqual([2, 8]);
  });

  test('go with their endpoint when it turns out to be slow', () => {
    const some = concurrency();
    for (let i = 0; i < 4; i += 1) some.enter('a');

    expect(some.leave('a', { wasSlow: true })).toBe('unknown');
    expect([some.offer('unknown', []).limit, some.offer('slow', []).limit]).toEqual([64, 61]);
  });

  test('are left for those that answer, however many others hang', () => {
    const some = concurrency();
    const known = Array.from({ length: 300 }, (_, n) => `hangs ${n}`);
    for (const id of known) call(some, id, { isSlow: true });
    call(some, 'answers', { isSlow: false });

    const slow = takeAll(some, 'slow', known);
    const unknown = takeAll(
      some,
      'unknown',
      Array.from({ length: 300 }, (_, n) => `new ${n}`),
    );

    expect([slow, unknown, slotsOf(some, 'healthy', 'answers')]).toEqual([64, 64, 8]);
  });

  test('are offered in another order each time', () => {
    const some = concurrency();
    const ids = Array.from({ length: 20 }, (_, n) => `endpoint ${n}`);

    const firsts = Array.from({ length: 100 }, () => some.offer('unknown', ids).shares[0]?.configurationId);

    expect(new Set(firsts).size).toBeGreaterThan(5);
  });
});
