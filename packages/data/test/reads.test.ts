import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { runInContext } from '@plataforma/observe';
import { createTestDatabase, eventually } from '@plataforma/testing';
import { silent } from '@plataforma/testing/fixtures';
import { type Database, openDatabase, openReads, type Reads } from '../src/index.ts';
import { holdLock } from './support/hold-lock.ts';

let url: string;
let database: Database;
let reads: Reads;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  database = openDatabase({ url, poolSize: 2, log: silent });
  reads = openReads({ url, poolSize: 1, log: silent });
  await database.query('CREATE TABLE notes (id integer)');
});
afterAll(async () => {
  await reads.close();
  await database.close();
});

const busy = { kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' };

/** Locks the table `notes`, so that statements that read it wait until the returned function is called. */
const locked = () => holdLock(database, (tx) => tx.query('LOCK TABLE notes'));

const always = (tenant: Tenant) => () => tenant;
const count = () => reads.query<{ total: number }>('SELECT count(*) AS total FROM notes');

describe('the connections for lists', () => {
  test('are separate, and at most eight requests wait for each', async () => {
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

  describe('in a pool of four', () => {
    let four: Reads;
    beforeAll(async () => {
      four = openReads({ url, poolSize: 4, log: silent });
      await database.query('CREATE TABLE lists AS SELECT 1 AS id');
    });
    afterAll(() => four.close());

    const tenant = (environment: 'sandbox' | 'production') => ({ merchantId: randomUUID(), environment });
    const read = (of: Tenant, table: 'notes' | 'lists') =>
      runInContext({ traceparent: '', tenant: of }, () => four.query(`SELECT * FROM ${table}`)).then(
        () => 'read',
        () => 'refused',
      );

    test.each([
      { callers: '40 sandboxes', of: () => tenant('sandbox'), busy: 2, waits: tenant('production') },
      { callers: 'one sandbox', of: always(tenant('sandbox')), busy: 1, waits: tenant('sandbox') },
      { callers: 'one account', of: always(tenant('production')), busy: 3, waits: tenant('production') },
    ])('$callers use at most $busy, and another account reads at once', async ({ of, busy, waits }) => {
      const unlock = await locked();
      const slow = Array.from({ length: 30 }, () => read(of(), 'notes'));
      await eventually(() => expect(four.connections()).toMatchObject({ busy, waiting: slow.length - busy }));

      expect(await read(waits, 'lists')).toBe('read');

      await unlock();
      expect(new Set(await Promise.all(slow))).toEqual(new Set(['read']));
    });
  });

  test('are read-only', async () => {
    await expect(reads.query('INSERT INTO notes VALUES (1)')).rejects.toThrow('read-only');
    await expect(reads.queryUnprepared('DELETE FROM notes', [])).rejects.toThrow('read-only');
  });

  test('refuse a statement longer than five seconds', async () => {
    await expect(reads.query('SELECT pg_sleep(30)')).rejects.toMatchObject({
      ...busy,
      message: 'the list took too long to read; narrow it by dates or other filters',
    });
  });
});
