import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { createTestDatabase } from '@plataforma/testing';
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

test('rows of which there is news are due at once, and no others', async () => {
  const about = { table: 'notes', columns: ['id'], due: 'due_at', attempts: 'attempts' };
  const notes = createQueue({ ...about, open: "(status = 'OPEN' OR status = 'WATCHED')" });
  await database.query(`
    INSERT INTO notes (id, about, status, due_at)
    SELECT about || ' ' || status, about, status, now() + interval '1 hour'
    FROM unnest(ARRAY['news', 'other']) AS about, unnest(ARRAY['OPEN', 'WATCHED', 'DONE']) AS status`);

  await notes.hasten(database, 'about = ANY($1)', [['news']]);

  expect(await database.query('SELECT id FROM notes WHERE due_at <= now() ORDER BY id')).toEqual([
    { id: 'news OPEN' },
    { id: 'news WATCHED' },
  ]);
});
