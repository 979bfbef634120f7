import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { openAt } from '@plataforma/testing/world';
import { createQueue } from '../src/queue.ts';

let database: Database;

beforeAll(async () => {
  database = openAt((await createTestDatabase()).url);
  await database.query(
    'CREATE TABLE notes (id text PRIMARY KEY, about text, status text, due_at timestamptz, attempts integer DEFAULT 0)',
  );
});
afterAll(() => database.close());

test('a notice makes its open rows due and no others', async () => {
  const about = { table: 'notes', columns: ['id'], due: 'due_at', attempts: 'attempts' };
  const notes = createQueue({ ...about, open: "(status = 'OPEN' OR status = 'WATCHED')" });
  await database.query(`
    INSERT INTO notes (id, about, status, due_at)
    SELECT about || ' ' || status, about, status, now() + interval '1 hour'
    FROM unnest(ARRAY['news', 'other']) AS about, unnest(ARRAY['OPEN', 'WATCHED', 'DONE']) AS status`);

  await notes.makeDue(database, 'about = ANY($1)', [['news']]);

  expect(await database.query('SELECT id FROM notes WHERE due_at <= now() ORDER BY id')).toEqual([
    { id: 'news OPEN' },
    { id: 'news WATCHED' },
  ]);
});

test('two concurrent notices of the same rows don’t deadlock', async () => {
  const notes = createQueue({ table: 'notes', columns: ['id'], due: 'due_at', attempts: 'attempts' });
  const makeDue = () => notes.makeDue(database, 'about = $1', ['both']);
  await database.query(`INSERT INTO notes (id, about) VALUES ('a', 'both'), ('b', 'both')`);
  // The trigger sleeps between the first row and the second, so that another statement can run in between.
  await database.query(`
    CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END
    $$`);
  await database.query(`
    CREATE TRIGGER linger BEFORE UPDATE OF due_at ON notes FOR EACH ROW
    WHEN (OLD.id = 'a') EXECUTE FUNCTION linger()`);
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  const first = await database.transaction(async (tx) => {
    // A scan now finds this row after the other row, because the update wrote a new version of it at the end
    // of the table.
    await tx.query(`UPDATE notes SET attempts = 1 WHERE id = 'a'`);
    const found = makeDue().catch(String);
    await eventually(async () => expect(await database.query(waiting)).toHaveLength(1));
    return { found };
  });

  expect(await Promise.all([first.found, makeDue().catch(String)])).toEqual([undefined, undefined]);
});
