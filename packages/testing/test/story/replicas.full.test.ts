import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { firstIdOf } from '@plataforma/kernel';
import type pg from 'pg';
import { eventually, type Platform, rowsAt, withDatabase } from '../../src/index.ts';
import { expectAgreement } from './books.ts';
import { anOrder } from './client.ts';
import { LOAD_NEEDS, type Load, startLoad } from './load.ts';
import { type Cast, startCast } from './world.ts';

const replicated = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;

/** Milliseconds from the moment at which the tables are locked to the end of the simulated month. */
const MONTH_ENDS_MS = 2_000;

let world: Cast;
let autoApproveLimit = 1_000_000;
let load: Load;
let earnedBefore: number;

beforeAll(async () => {
  world = await startCast({ replicas: 2, drainMs: 5_000 });
  const { merchant, shop } = world;
  await emitAllEvents();
  await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
}, 600_000);

afterAll(() => world?.stop());

beforeEach(async () => {
  const { merchant, bank, platform } = world;
  earnedBefore = (await totalEarned()) + LOAD_NEEDS;
  const { data } = await merchant.post('/v1/charges', anOrder({ amount: LOAD_NEEDS }));
  await bank.control(`/pix/${data.txid}/pay`);
  await eventually(async () => expect(await totalEarned()).toBe(earnedBefore));
  load = startLoad(platform.facts);
});

afterEach(() => load?.stop());

async function totalEarned(): Promise<number> {
  return Number((await world.merchant.get('/v1/balance')).data.totalEarned);
}

/**
 * The gateway is left out, because it receives only the events of chain anchors, which are published once an
 * hour.
 */
const subscribers = replicated.filter((name) => name !== 'gateway');

/** Causes an event of each type to which more than one of these services subscribes. */
async function emitAllEvents(): Promise<void> {
  const [demo] = (await world.operator.get('/v1/admin/merchants')).list;
  autoApproveLimit += 1;
  await world.operator.patch(`/v1/admin/merchants/${demo?.id}/settings`, { autoApproveLimit });
}

/**
 * Waits until the clients have received a hundred more answers, so that a new replica has also received
 * requests.
 */
async function someMore(): Promise<void> {
  const already = load.answered();
  await eventually(() => expect(load.answered()).toBeGreaterThan(already + 100));
}

/** Expects that the ledger has all payments, the provider all withdrawals, and the shop all webhooks. */
async function expectNothingLost(): Promise<void> {
  const { platform, bank, operator, merchant, shop } = world;
  expect(Math.min(load.paid.length, load.withdrawn.length)).toBeGreaterThan(10);
  await expectAgreement(platform, bank, operator);
  const later = await Promise.all(load.undecided.map((id) => merchant.get(`/v1/charges/${id}`)));
  const paid = [...load.paid, ...later.flatMap(({ data }) => (data.status === 'PAID' ? [data.id] : []))];
  expect(await totalEarned()).toBe(earnedBefore + paid.length * 2_500);
  await eventually(() => {
    const bodies = shop.deliveries.map(({ body }) => JSON.parse(body.toString()));
    const idsOf = (event: string) =>
      new Set(bodies.flatMap((it) => (it.event === event ? [it.data.id] : [])));
    const [payments, withdrawals] = [idsOf('charge.paid'), idsOf('withdrawal.completed')];
    expect(paid.filter((id) => !payments.has(id))).toEqual([]);
    expect(load.withdrawn.filter((id) => !withdrawals.has(id))).toEqual([]);
  });
  await eventually(async () => {
    const { status, body, data } = await operator.get('/v1/admin/ledger/verify');
    expect({ status, body, data }).toMatchObject({ status: 200, data: { differences: [] } });
  });
}

/**
 * Shortens the partition of the present month in each table, so that it ends two seconds from now. Then
 * creates the next partition. The tables are locked meanwhile, so that no row is inserted after the end.
 */
async function endMonth(client: pg.Client): Promise<Date> {
  await client.query('BEGIN; LOCK TABLE inbox, outbox IN ACCESS EXCLUSIVE MODE');
  const ends = new Date(Date.now() + MONTH_ENDS_MS);
  const end = `('${firstIdOf(ends)}')`;
  for (const table of ['inbox', 'outbox']) {
    const { rows } = await client.query<{ name: string; bounds: string }>(
      `SELECT relname AS name, pg_get_expr(relpartbound, oid) AS bounds FROM pg_class
        WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${table}'::regclass)`,
    );
    const months = rows.map(({ name, bounds }) => {
      const [, from = '', to = ''] = /FROM (.*) TO (.*)/.exec(bounds) ?? [];
      return { name, from, to };
    });
    const present = months.find(({ from, to }) => (from === '(MINVALUE)' || from < end) && end < to);
    if (!present) throw new Error(`no partition of ${table} contains ${end}`);
    const { name, from, to } = present;
    await client.query(`ALTER TABLE ${table} DETACH PARTITION ${name};
      CREATE TABLE ${table}_next PARTITION OF ${table} FOR VALUES FROM ${end} TO ${to};
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ${from} TO ${end}`);
  }
  await client.query('COMMIT');
  return ends;
}

async function logOf({ dataDir }: Cast, name: (typeof replicated)[number]): Promise<string> {
  const files = [`${name}.log`, `${name}-2.log`].map((file) => join(dataDir, 'services', name, file));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
}

async function restartInTurn(platform: Platform, name: (typeof replicated)[number]): Promise<void> {
  for (const replica of platform.replicas[name]) {
    await replica.stop();
    await replica.start();
  }
}

describe('with two replicas of every service', () => {
  test('no request fails during a restart of each replica', async () => {
    await someMore();

    await Promise.all(replicated.map((name) => restartInTurn(world.platform, name)));
    await someMore();
    await load.stop();

    expect(load.failures).toEqual([]);
    await expectNothingLost();
  });

  test('a killed replica fails only its current requests', async () => {
    await someMore();

    for (const name of replicated) {
      const [, second] = world.platform.replicas[name];
      await second?.kill();
      await someMore();
      await second?.start();
    }
    await load.stop();

    const broken = load.failures.filter(({ status }) => status === null);
    const unavailable = load.failures.filter(({ status }) => status === 503);
    expect(load.failures).toHaveLength(broken.length + unavailable.length);
    expect(unavailable.filter(({ answerText }) => !answerText.includes('SERVICE_UNAVAILABLE'))).toEqual([]);
    // Five replicas were killed, and each of the seven clients sends only one request at a time. So each kill
    // may break at most seven requests.
    expect(load.failures.length).toBeLessThanOrEqual(5 * 7);
    expect(await logOf(world, 'gateway')).not.toContain('circuit open');
    await expectNothingLost();
  });

  test('a month’s end fails no request and doubles no event', async () => {
    await someMore();
    let last = new Date();
    for (const name of replicated) last = await withDatabase(world.platform.databaseUrls[name], endMonth);
    await eventually(() => expect(Date.now()).toBeGreaterThan(last.getTime()));
    await emitAllEvents();
    for (const name of subscribers)
      await eventually(async () =>
        expect(await rowsOf(name, 'SELECT FROM inbox_next LIMIT 1')).toHaveLength(1),
      );
    await someMore();
    for (const name of replicated) await rowsOf(name, 'UPDATE outbox SET published_at = NULL');
    await someMore();
    await load.stop();

    expect(load.failures).toEqual([]);
    for (const name of replicated) {
      const waiting = 'SELECT FROM outbox WHERE published_at IS NULL';
      await eventually(async () => expect(await rowsOf(name, waiting)).toEqual([]));
      expect(await rowsOf(name, 'SELECT FROM dead_letters')).toEqual([]);
      expect(await rowsOf(name, 'SELECT FROM inbox GROUP BY event_id HAVING count(*) > 1')).toEqual([]);
    }
    await expectNothingLost();
  });
});

function rowsOf(name: (typeof replicated)[number], sql: string): Promise<unknown[]> {
  return rowsAt(world.platform.databaseUrls[name], sql);
}
