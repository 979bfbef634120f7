import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { databaseOfFile } from '@plataforma/testing/fixtures';
import {
  type ComposedQuery,
  composeSql,
  cursorOf,
  type Queryable,
  readPage,
  readPages,
} from '../src/index.ts';

const database = databaseOfFile([], 3);

const ROWS = 2_000;

/** Inserts rows. Each time of creation is shared by three rows and has microseconds. */
const SEED = `
  INSERT INTO notes (id, owner, text, created_at)
  SELECT gen_random_uuid(), CASE WHEN n % 10 = 0 THEN 'few' ELSE 'many' END, repeat('x', 200),
    timestamptz '2026-11-20T12:00:00.000001Z' + (n / 3) * interval '7 microseconds'
  FROM generate_series(1, ${ROWS}) AS n`;

beforeAll(async () => {
  await database.query(
    'CREATE TABLE notes (id uuid PRIMARY KEY, owner text NOT NULL, text text NOT NULL, created_at timestamptz NOT NULL)',
  );
  await database.query('CREATE INDEX notes_list ON notes (owner, created_at DESC, id DESC)');
  await database.query(SEED);
  await database.query('VACUUM ANALYZE notes');
});

const itemOf = ({ id }: { id: string; [column: string]: unknown }) => id;

const notesOf = (owner: string) => composeSql('notes').where({ owner }).select('id', 'text');

function read(slice: { page?: number; limit: number; after?: string | undefined }, owner = 'few') {
  return readPage(database, { matching: notesOf(owner), itemOf }, { page: 1, ...slice });
}

async function idsOf(owner: string): Promise<string[]> {
  const text = 'SELECT id FROM notes WHERE owner = $1 ORDER BY created_at DESC, id DESC';
  return (await database.query<{ id: string }>(text, [owner])).map(({ id }) => id);
}

describe('cursors', () => {
  test('visit each row once despite new rows and equal times', async () => {
    const all = await idsOf('few');
    const walked: string[] = [];
    const numbers: unknown[] = [];

    let after: string | undefined;
    do {
      const page = await read({ limit: 30, after });
      walked.push(...page.items);
      numbers.push(page.page);
      after = page.next;
      await database.query('INSERT INTO notes VALUES ($1, $2, $3, now())', [newId(), 'few', 'new']);
    } while (after);

    expect(walked).toEqual(all);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await database.query(`DELETE FROM notes WHERE text = 'new'`);
  });

  test('and page numbers show the same pages', async () => {
    const all = await idsOf('few');
    for (const limit of [1, 50, 199, 200, 201]) {
      const first = await read({ limit });
      const second = await read({ limit, page: 2 });
      const next = first.next ? await read({ limit, after: first.next }) : { items: [] };

      expect(first.items).toEqual(all.slice(0, limit));
      expect([second.items, next.items]).toEqual(Array(2).fill(all.slice(limit, 2 * limit)));
      expect(second.next === undefined).toBe(2 * limit >= all.length);
      expect([first.total, second.total]).toEqual([200, 200]);
    }
    expect(await read({ limit: 20, page: 1_000 })).toMatchObject({ items: [], total: 200 });
  });

  test.each([
    ['malformed text', 'x'],
    ['too few values', cursorOf({ page: 2, values: [newId()] })],
    ['an invalid page number', cursorOf({ page: 0.5, values: ['2026-11-20T12:00:00Z', newId()] })],
    ['an invalid time', cursorOf({ page: 2, values: ['yesterday morning', newId()] })],
    ['an invalid id', cursorOf({ page: 2, values: ['2026-11-20T12:00:00Z', '\u0000'] })],
  ])('with %s are refused', async (_what, after) => {
    await expect(read({ limit: 20, after })).rejects.toMatchObject({
      kind: 'invalid',
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('the cost of a page', () => {
  const explaining = (plans: string[]): Queryable => ({
    query: database.query,
    async queryUnprepared(text, values) {
      const lines = await database.queryUnprepared<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) ${text}`,
        values,
      );
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return database.queryUnprepared(text, values);
    },
  });

  test('behind a cursor is its own rows, read by index', async () => {
    const { next } = await read({ limit: 20, page: 40 }, 'many');
    const plans: string[] = [];

    const listing = { matching: notesOf('many'), itemOf, count: async () => ({ total: 1_800 }) };
    await readPage(explaining(plans), listing, { page: 1, limit: 20, after: next });

    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/Index Scan using notes_list.*rows=21/);
    expect(plans[0]).toContain('ROW(created_at, id) <');
    expect(plans[0]).not.toContain('Sort');
  });

  test('by number is earlier index entries and its own rows', async () => {
    const plans: string[] = [];

    const listing = { matching: notesOf('many'), itemOf, count: async () => ({ total: 1_800 }) };
    await readPage(explaining(plans), listing, { page: 80, limit: 20 });

    expect(plans[0]).toMatch(/Index Only Scan using notes_list.*rows=1581/);
    expect(plans[0]).toMatch(/Index Scan using notes_list.*rows=21/);
    expect(plans[0]).not.toContain('Sort');
  });
});

describe('a total', () => {
  test('may be capped, and pages beyond it are shown', async () => {
    const capped = { matching: notesOf('few'), itemOf, countAtMost: 100 };

    const [last, beyond] = [
      await readPage(database, capped, { page: 20, limit: 10 }),
      await readPage(database, capped, { page: 12, limit: 10 }),
    ];

    expect([last.items, last.total, last.isCapped]).toEqual([expect.any(Array), 200, undefined]);
    expect(beyond).toMatchObject({ total: 100, isCapped: true, next: expect.any(String) });
    expect([last.items.length, beyond.items.length]).toEqual([10, 10]);
  });

  test('is the same when it is counted with the page', async () => {
    const details = (page: ComposedQuery) => page.select('notes.id');
    const matching = composeSql('notes').where({ owner: 'few' });
    const all = await idsOf('few');
    for (const countAtMost of [100, 199, 200, 201]) {
      const listing = { matching, itemOf, details, table: 'notes', countAtMost };
      for (const page of [1, 2, 10, 11, 20, 21]) {
        const { items, total, isCapped } = await readPage(database, listing, { page, limit: 10 });

        expect([page, items]).toEqual([page, all.slice(10 * page - 10, 10 * page)]);
        const atEnd = page === 20 || countAtMost >= 200;
        expect([total, isCapped ?? false]).toEqual([atEnd ? 200 : countAtMost, !atEnd]);
      }
    }
  });
});

test('a whole list comes in batches, a small one first', async () => {
  const batches: string[][] = [];
  for await (const batch of readPages((slice) =>
    readPage(database, { matching: notesOf('many'), itemOf }, slice),
  ))
    batches.push(batch);

  expect(batches.map(({ length }) => length)).toEqual([100, 1_000, 700]);
  expect(batches.flat()).toEqual(await idsOf('many'));
});
