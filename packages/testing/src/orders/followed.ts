import { expect } from '@jest/globals';
import { eventually } from '@plataforma/local';
import type { Running } from '@plataforma/service';
import type { Behaviour } from '../fakes/behaviours.ts';
import type { OrderAdapter, OrderUnderTest, OrderWorld, Recorded } from './adapter.ts';

/** An order, and what a story does with it. */
export interface Followed extends OrderUnderTest {
  /** Resolves when it is recorded so; the scheduler checks it all the time until then. */
  becomes(recorded: Recorded): Promise<void>;
  /** The same, but the scheduler checks it only when it is due. */
  becomesByItself(recorded: Recorded): Promise<void>;
  /** Has the scheduler check it until the provider was asked this often, or more. */
  awaitRequests(operation: 'order' | 'find', times: number): Promise<void>;
  /** Has the scheduler check it, unless it is due or being checked. */
  checkSoon(): Promise<void>;
  /** Resolves when its order was answered, or given up on; from then on only the test has it looked at. */
  rests(): Promise<void>;
  /** Has it lie an hour or a day back that it became unconfirmed, or that it ended. */
  letPass(what: 'unconfirmed' | 'watch'): Promise<void>;
  /** Resolves when it has ended and no look at it is due soon. */
  isRecorded(): Promise<void>;
  /** Resolves when a notice has had the provider asked, and the answer is settled. */
  awaitNoticeCheck(): Promise<void>;
  /** From its end to its next look, in seconds; null when there is none. */
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
  /** The provider carries out what it has answered otherwise. */
  carryOut(): void;
}

/** Answers so, and can be carried out nevertheless. */
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
