import { expect } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { OrderAdapter, OrderUnderTest, OrderWorld, Recorded } from './adapter.ts';

/** An order with the actions that tests need. */
export interface Followed extends OrderUnderTest {
  /** Resolves when the record has this state; until then it makes the order due again and again. */
  becomes(recorded: Recorded): Promise<void>;
  /** Resolves when the record has this state, and leaves the due time alone. */
  becomesByItself(recorded: Recorded): Promise<void>;
  /** Makes the order due until the provider has had at least this many requests. */
  awaitRequests(operation: 'order' | 'find', times: number): Promise<void>;
  /** Makes the order due, unless it is due already or leased. */
  checkSoon(): Promise<void>;
  /**
   * Resolves after the first order request, when no lease is left. It moves the next check an hour ahead, so
   * that only the test makes the order due.
   */
  rests(): Promise<void>;
  /** Moves the start of the unconfirmed state back by an hour, or the end of the order by a day. */
  letPass(what: 'unconfirmed' | 'watch'): Promise<void>;
  /** Resolves when the order is not leased and, if it has ended, has no check due within a minute. */
  isRecorded(): Promise<void>;
  /** Sends a notice, and resolves when the provider was asked and the result is recorded. */
  awaitNoticeCheck(): Promise<void>;
  /** Returns the seconds from the order's end to its next check; null if none is planned. */
  nextCheck(): Promise<number | null>;
  isClaimed(): Promise<boolean>;
}

const past = {
  unconfirmed: "doubted_at = doubted_at - interval '1 hour'",
  watch: "ended_at = ended_at - interval '1 day'",
};

export function follow<R extends Running>(
  { database }: OrderWorld<R>,
  { row }: OrderAdapter<R>,
  order: OrderUnderTest,
): Followed {
  const { table, key, isWatched } = row;
  const update = (change: string, where = 'true') =>
    database.query(`UPDATE ${table} SET ${change} WHERE ${key} = $1 AND ${where} RETURNING 1`, [order.key]);
  const select = (what: string, where = 'true') =>
    database.query<{ value: unknown }>(
      `SELECT ${what} AS value FROM ${table} WHERE ${key} = $1 AND ${where}`,
      [order.key],
    );

  const checkSoon = async () =>
    void (await update(
      'next_check_at = now()',
      "next_check_at > now() + interval '50 ms' AND lease_token IS NULL",
    ));
  const isRecorded = async () => {
    const due = `lease_token IS NOT NULL OR ${isWatched} AND next_check_at < now() + interval '1 minute'`;
    await eventually(async () => expect(await select('1', `(${due})`)).toEqual([]));
  };
  const times = (operation: 'order' | 'find') => order.requests(operation).length;
  const becomesByItself = (recorded: Recorded) =>
    eventually(async () => expect(await order.recorded()).toBe(recorded));

  return {
    ...order,
    checkSoon,
    isRecorded,
    becomesByItself,
    becomes: (recorded) =>
      eventually(async () => {
        const is = await order.recorded();
        if (is !== recorded) await checkSoon();
        expect(is).toBe(recorded);
      }),
    awaitRequests: (operation, least) =>
      eventually(async () => {
        if (times(operation) < least) await checkSoon();
        expect(times(operation)).toBeGreaterThanOrEqual(least);
      }),
    async rests() {
      await eventually(() => expect(times('order')).toBeGreaterThan(0));
      await eventually(async () =>
        expect(await update("next_check_at = now() + interval '1 hour'", 'lease_token IS NULL')).toHaveLength(
          1,
        ),
      );
    },
    letPass: async (what) => void (await update(past[what])),
    async awaitNoticeCheck() {
      const before = times('find');
      await order.notify();
      await eventually(() => expect(times('find')).toBeGreaterThan(before));
      await isRecorded();
    },
    async nextCheck() {
      const seconds = 'extract(epoch FROM next_check_at - ended_at)::integer';
      const [next] = await select(seconds, isWatched);
      return next ? Number(next.value) : null;
    },
    isClaimed: async () => (await select('1', 'lease_token IS NOT NULL')).length > 0,
  };
}

export interface CarriedOutLate {
  behaviour: Behaviour;
  /** Makes the provider carry out the order that it answered differently. */
  carryOut(): void;
}

/** Gives this answer to an order, which the test can carry out later. */
export function carriedOutLate(answer: Behaviour): CarriedOutLate {
  let carryOut = () => {};
  return {
    behaviour(perform) {
      carryOut = () => void perform();
      return answer(perform);
    },
    carryOut: () => carryOut(),
  };
}
