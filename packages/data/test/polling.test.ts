import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { databaseOfFile, silent } from '@plataforma/testing/fixtures';
import { startPolling } from '../src/index.ts';

const database = databaseOfFile([], 4);
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  await database.query('CREATE TABLE notes (id integer PRIMARY KEY, is_done boolean NOT NULL DEFAULT false)');
});
afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));

/**
 * Starts a poll, with an interval of 5 ms unless `options` contains another. Returns a function that returns
 * the number of polls so far.
 */
function start(options: Partial<Parameters<typeof startPolling>[0]> = {}): () => number {
  let polls = 0;
  const poll = async () => {
    polls += 1;
    await options.poll?.();
  };
  running.push(startPolling({ database, log: silent, name: 'notes', everyMs: 5, ...options, poll }));
  return () => polls;
}

const writes: [string, boolean, () => Promise<unknown>][] = [
  ['an INSERT', true, () => database.query('INSERT INTO notes VALUES (1)')],
  ['an UPDATE', true, () => database.query('UPDATE notes SET is_done = true WHERE id = 1')],
  ['a committed transaction', true, () => database.transaction((tx) => tx.query('DELETE FROM notes'))],
  ['a signal', true, () => database.transaction(async (tx) => tx.signalAfterCommit('notes'))],
  ['a SELECT', false, () => database.query('SELECT 1')],
  ['an UPDATE of no row', false, () => database.query('UPDATE notes SET is_done = false WHERE id = 7')],
  ['a transaction that only reads', false, () => database.transaction((tx) => tx.query('SELECT 1'))],
  [
    'a transaction that rolls back',
    false,
    () =>
      database
        .transaction(async (tx) => {
          await tx.query('INSERT INTO notes VALUES (2)');
          throw new Error('undone');
        })
        .catch(() => undefined),
  ],
];

test.each(writes)('%s counts as a write: %s', async (_name, counts, act) => {
  const before = database.writes();
  await act();
  expect(database.writes() - before).toBe(counts ? 1 : 0);
});

test('a poll follows each write, also one during a poll', async () => {
  const looks = start({
    ...{ dueIn: async () => undefined, everyMs: 20 },
    poll: async () => {
      if (looks() === 1) await database.query('INSERT INTO notes VALUES (3)');
    },
  });
  await eventually(() => expect(looks()).toBeGreaterThanOrEqual(2));
  const before = looks();
  await database.query('DELETE FROM notes');
  await eventually(() => expect(looks()).toBeGreaterThan(before));
});

test('a poll runs at the announced time and again after failure', async () => {
  const idle = start({ everyMs: 20 });
  const named = start({ everyMs: 20, dueIn: async () => 30 });
  const failing = start({ everyMs: 20, poll: () => Promise.reject(new Error('the database is away')) });

  await eventually(() => expect([named(), failing()].every((count) => count >= 5)).toBe(true));
  expect(idle()).toBeLessThan(named());
  expect(idle()).toBeLessThan(failing());
});

test('rows of other processes are found by polling', async () => {
  const looks = start({ everyMs: 10 });
  await eventually(() => expect(looks()).toBeGreaterThanOrEqual(3));
});
