import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import pg from 'pg';
import { z } from 'zod';
import { createTestDatabase, rounds } from '../src/index.ts';

const { info } = z
  .looseObject({ info: z.looseObject({ description: z.string() }) })
  .parse(JSON.parse(JSON.stringify(openApiDocument(api))));
const APPLY = /```sql\n([\s\S]+?)\n```/.exec(info.description)?.[1] ?? '';
const TABLE = 'CREATE TABLE objects (id uuid PRIMARY KEY, sequence bigint NOT NULL, status text NOT NULL)';
const story = [
  { sequence: 0, status: 'PENDING' },
  { sequence: 1, status: 'PAID' },
  { sequence: 2, status: 'DISPUTED' },
  { sequence: 5, status: 'REFUNDED' },
];

let pool: pg.Pool;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  pool = new pg.Pool({ connectionString: url, max: 8 });
  await pool.query(TABLE);
});
afterAll(() => pool.end());

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, at) => ordersOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

async function apply(id: string, { sequence, status }: (typeof story)[number]): Promise<boolean> {
  return (await pool.query(APPLY, [id, sequence, status])).rows.length === 1;
}

async function statusOf(id: string): Promise<unknown> {
  return (await pool.query('SELECT status FROM objects WHERE id = $1', [id])).rows[0]?.status;
}

test('the guide’s receiver reaches the last status in any order', async () => {
  for (const order of ordersOf(story)) {
    const id = newId();
    for (const event of order) {
      await apply(id, event);
      expect(await apply(id, event)).toBe(false);
    }
    expect(await statusOf(id)).toBe('REFUNDED');
  }
});

test('of two parallel copies, a receiver applies at most one', async () => {
  for (let round = 0; round < rounds(20); round += 1) {
    const id = newId();
    const twice = [...story, ...story.toReversed()];
    const applied = await Promise.all(twice.map((event) => apply(id, event)));

    const times = story.map((_event, at) => [applied[at], applied[7 - at]].filter(Boolean).length);
    expect(Math.max(...times)).toBe(1);
    expect([times.at(-1), await statusOf(id)]).toEqual([1, 'REFUNDED']);
  }
});
