import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, migrate, openDatabase, type Queryable, type Row } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { createLog } from '@plataforma/observe';
import { createTestDatabase } from '@plataforma/testing';
import {
  announce,
  merchantSeals,
  messagesAbout,
  orderTables,
  outboxSeals,
  sharedTables,
} from '../src/index.ts';

const ROWS = 20_000;

let database: Database;

/** Fills an outbox with many events, of which one in twenty is unpublished. */
const SEED = `
  INSERT INTO outbox (event_id, type, body, published_at)
  SELECT (substr($1::text, 1, 9) || substr(gen_random_uuid()::text, 10))::uuid, 'charge.paid',
  '{"aggregateId":"' || gen_random_uuid() || '","data":"' || repeat('x', 400) || '"}',
    CASE WHEN n % 20 = 0 THEN NULL ELSE now() END
  FROM generate_series(1, ${ROWS / 4}) AS n`;
const LETTERS = `
  INSERT INTO dead_letters (id, fingerprint, body, died_at)
  SELECT gen_random_uuid(), n::text, '\\x00', now() - interval '1 day' FROM generate_series(1, 2000) AS n`;

beforeAll(async () => {
  const home = await createTestDatabase();
  await migrate(home.url, [sharedTables, orderTables, outboxSeals, merchantSeals]);
  const log = createLog({ service: 'test', level: 'silent' });
  database = openDatabase({ url: home.url, poolSize: 3, log });
  for (let part = 0; part < 4; part += 1) await database.query(SEED, [newId()]);
  await database.query(LETTERS);
  for (const table of ['outbox', 'dead_letters']) await database.query(`VACUUM ANALYZE ${table}`);
});
afterAll(async () => {
  await database.close();
});

function paid(id: string) {
  const money = { paymentMethod: 'PIX', amount: 2_500, feeAmount: 25, netAmount: 2_475 } as const;
  const names = { id, txid: id.replaceAll('-', ''), externalId: '"aggregateId":"pedido"' };
  const data = {
    ...names,
    ...money,
    status: 'PAID',
    paidAt: new Date().toISOString(),
    settlesAt: null,
  } as const;
  const about = { merchantId: newId(), environment: 'sandbox', aggregateId: id, sequence: 1 } as const;
  return { ...about, type: 'charge.paid' as const, data };
}

/** Returns a database connection that records the tables which its queries scan completely. */
function watched(scanned: string[]): Queryable {
  async function queryUnprepared<R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const plan = await database.queryUnprepared<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    for (const line of plan) {
      const table = /Seq Scan on (\w+)/.exec(line['QUERY PLAN'])?.[1];
      if (table) scanned.push(table);
    }
    return database.queryUnprepared<R>(text, values);
  }
  return { query: queryUnprepared, queryUnprepared };
}

describe('an announced event', () => {
  test('is found in a long outbox by index', async () => {
    const [published, waiting] = [newId(), newId()];
    await database.transaction((tx) => announce(tx, paid(published), paid(waiting)));
    await database.query('UPDATE outbox SET published_at = now() WHERE body LIKE $1', [`%${published}%`]);
    const scanned: string[] = [];

    const found = await messagesAbout(watched(scanned), [published, waiting, newId()]);

    expect(found.map(({ what, detail }) => [what, detail.publishedAt !== null])).toEqual([
      ['charge.paid was announced', true],
      ['charge.paid was announced', false],
    ]);
    expect(scanned).not.toContain('outbox');
    expect(scanned).not.toContain('dead_letters');
  });

  test('is reported although this release cannot read it', async () => {
    const id = newId();
    const body = `{"aggregateId":"${id}","type":"charge.of_long_ago"}`;
    await database.query(
      `INSERT INTO outbox (event_id, type, body, published_at) VALUES ($1, 'charge.of_long_ago', $2, now())`,
      [newId(), body],
    );

    expect(await messagesAbout(database, [id])).toMatchObject([
      { kind: 'announcement', what: 'charge.of_long_ago was announced', detail: { sequence: null } },
    ]);
  });
});
