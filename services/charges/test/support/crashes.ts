import { expect } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { type Behaviour, eventually } from '@plataforma/testing';
import type { ServiceProcess } from './service-process.ts';

/** A function that makes a fake provider or ledger handle the next request with the behaviour. */
export type Meet = (behaviour: Behaviour) => void;

/** Returns a promise that resolves once a request was handled with `behaviour`. */
export function met(meet: Meet, behaviour: Behaviour): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  meet(async (perform) => {
    const reply = await behaviour(perform);
    resolve();
    return reply;
  });
  return promise;
}

/** Kills the process when `moment` resolves, while the process works for a caller. */
export async function killAt(
  moment: Promise<void>,
  doomed: ServiceProcess,
  work: () => Promise<unknown>,
): Promise<void> {
  const working = work().catch(() => 'the connection broke');
  await moment;
  await doomed.kill();
  expect(await working).toBe('the connection broke');
}

const WAITING = `
  SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Takes the row locks of a statement, and keeps them until the test releases them. */
export async function holdLock(database: Database, sql: string, parameters: unknown[] = []) {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const transaction = database.transaction(async (tx) => {
    await tx.query(sql, parameters);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    isAwaited: () =>
      eventually(async () => expect((await database.query(WAITING)).length).toBeGreaterThan(0)),
    release() {
      released.resolve();
      return transaction;
    },
  };
}
