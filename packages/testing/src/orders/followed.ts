import { expect } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { OrderAdapter, OrderUnderTest, OrderWorld, Recorded } from './adapter.ts';

/** An order with functions by which tests wait for its changes, and make its next check due. */
export interface Followed extends OrderUnderTest {
  /** Waits until the order has this state, and makes the order due again and again while it waits. */
  becomes(recorded: Recorded): Promise<void>;
  /** Waits until the order has this state, and does not change the time at which the order is due. */
  becomesByItself(recorded: Recorded): Promise<void>;
  /** Makes the order due again and again until the provider has received at least `times` requests. */
  awaitRequests(operation: 'order' | 'find', times: number): Promise<void>;
  /** Makes the order due now, unless it is due already or a replica has leased it. */
  checkSoon(): Promise<void>;
  /**
   * Waits until the provider has received the order and no replica holds the order's lease. Then moves the
   * order's next check an hour ahead, so that only the test makes the order due.
   */
  rests(): Promise<void>;
  /**
   * Moves a recorded time of the order into the past. `unconfirmed`: the start of the unconfirmed state, by
   * an hour. `watch`: the end of the order, by a day.
   */
  letPass(what: 'unconfirmed' | 'watch'): Promise<void>;
  /** Waits until no replica has leased the order and no check of an ended order is due within a minute. */
  isRecorded(): Promise<void>;
  /**
   * Sends the provider's notice about the order. Waits until the service has asked the provider for the
   * order's state and recorded the answer.
   */
  awaitNoticeCheck(): Promise<void>;
  /** Returns the seconds from the end of the order to its next check; null if no check is planned. */
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
  /** Makes the provider execute the order, although its answer to the order was different. */
  carryOut(): void;
}

/**
 * Returns a behaviour that gives this answer to an order without executing it. The test can make the provider
 * execute the order later.
 */
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
