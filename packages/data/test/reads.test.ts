import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runInContext } from '@plataforma/observe';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/parts';
import { type Database, openDatabase, openReads, type Reads } from '../src/index.ts';

let database: Database;
let reads: Reads;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  database = openDatabase({ url, poolSize: 2, log: silent });
  reads = openReads({ url, poolSize: 1, log: silent });
  await database.query('CREATE TABLE notes (id integer)');
});
afterAll(async () => {
  await reads.close();
  await database.close();
});

const busy = { kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' };

/** Keeps whoever reads `notes` waiting until it is called. */
async function locked(): Promise<() => Promise<void>> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const holding = database.transaction(async (tx) => {
    await tx.query('LOCK TABLE notes');
    begin();
    await held;
  });
  await begun;
  return async () => {
    release();
    await holding;
  };
}

const count = () => reads.query<{ total: number }>('SELECT count(*) AS total FROM notes');

describe('what reads lists', () => {
  test('has connections of its own, and lets eight wait for each: the next is refused at once', async () => {
    const unlock = await locked();
    const first = count();
    await eventually(async () => expect(reads.connections()).toMatchObject({ busy: 1 }));
    const line = Array.from({ length: 8 }, count);

    await expect(count()).rejects.toMatchObject(busy);
    expect(reads.connections()).toEqual({ busy: 1, idle: 0, waiting: 8 });
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);

    await unlock();
    expect(await Promise.all([first, ...line])).toEqual(Array(9).fill([{ total: 0 }]));
    expect(await count()).toEqual([{ total: 0 }]);
  });

  test('leaves half of the line to production when sandboxes fill it', async () => {
    const unlock = await locked();
    const of = (environment: 'sandbox' | 'production') => () =>
      runInContext({ traceparent: '', environment }, count).then(
        () => 'read',
        () => 'refused',
      );
    const first = of('sandbox')();
    await eventually(() => expect(reads.connections()).toMatchObject({ busy: 1, waiting: 0 }));
    const sandboxes = [first, ...Array.from({ length: 20 }, of('sandbox'))];
    const production = Array.from({ length: 5 }, of('production'));
    await eventually(() => expect(reads.connections().waiting).toBe(8));
    await unlock();
    const readOf = async (all: Promise<string>[]) => (await Promise.all(all)).filter((end) => end === 'read');

    expect([(await readOf(sandboxes)).length, (await readOf(production)).length]).toEqual([5, 4]);
    expect(await of('sandbox')()).toBe('read');
  });

  test('writes nothing', async () => {
    await expect(reads.query('INSERT INTO notes VALUES (1)')).rejects.toThrow('read-only');
    await expect(reads.queryUnprepared('DELETE FROM notes', [])).rejects.toThrow('read-only');
  });

  test('is refused when it takes longer than five seconds', async () => {
    await expect(reads.query('SELECT pg_sleep(30)')).rejects.toMatchObject({
      ...busy,
      message: 'the list took too long to read; narrow it by dates or other filters',
    });
  });
});
