import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { createLog, type Log } from '@plataforma/observe';
import { eventually, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { silent, worldOfFile } from '@plataforma/testing/world';
import { checkBooks } from '../src/operations/check-books.ts';
import { startLedger } from '../src/service.ts';
import { leaseBookCheck, saveBookCheck } from '../src/store/book-checks.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { entryAt, takeOut, tamper } from './support/tampering.ts';
import { startWorld } from './support/world.ts';

interface Check {
  place: string | null;
  found: number;
  differences: number;
}

const world = worldOfFile(startWorld);

async function check(): Promise<Check> {
  const [row] = await world.database.query<Check>('SELECT place, found, differences FROM book_checks');
  if (!row) throw new Error('there is no check of the books');
  return row;
}
/** Ends the lease of the check, and makes the next step and the next complete check due. */
const isDue = () =>
  world.database.query(
    `UPDATE book_checks SET next_turn_at = now() - interval '1 s', round_began_at = '-infinity'`,
  );
const newRound = () => world.database.query('UPDATE book_checks SET place = NULL, found = 0');
const checkNext = (log: Log = silent) =>
  checkBooks({ database: world.database, log, roundEveryMs: 1, entriesPerCheck: 1 });

const merchants = async (count: number): Promise<Tenant[]> => {
  const tenants = Array.from({ length: count }, () => newTenant());
  await world.deliver(...tenants.flatMap((tenant) => [paid(tenant), paid(tenant), paid(tenant)]));
  return tenants;
};
const change = ({ merchantId }: Tenant, cents: number) =>
  tamper(world, 'UPDATE wallets SET total_earned_cents = total_earned_cents + $2 WHERE merchant_id = $1', [
    merchantId,
    cents,
  ]);

describe('the check of the books', () => {
  beforeEach(newRound);

  test('covers all wallets on three replicas and counts differences once', async () => {
    const tenants = await merchants(5);
    for (const tenant of tenants.slice(0, 3)) await change(tenant, 7);
    let turns = 0;
    do {
      await isDue();
      await Promise.all([checkNext(), checkNext(), checkNext()]);
      turns += 1;
    } while ((await check()).place !== null);

    expect(await check()).toMatchObject({ found: 3, differences: 3 });
    expect(turns).toBeGreaterThan(5);
    for (const tenant of tenants.slice(0, 3)) await change(tenant, -7);
  });

  test('runs on one replica at a time, when due', async () => {
    await isDue();
    const due = { leaseMs: 60_000, roundEveryMs: 3_600_000 };
    const claims = await Promise.all(Array.from({ length: 20 }, () => leaseBookCheck(world.database, due)));
    const [mine, ...more] = claims.filter((lease) => lease !== undefined);
    if (!mine) throw new Error('no replica has the lease');
    await saveBookCheck(world.database, mine, { place: null, found: 0, pauseMs: 0 });

    expect(more).toEqual([]);
    expect(await leaseBookCheck(world.database, due)).toBeUndefined();
  });

  test('ignores the result of a replica whose lease is over', async () => {
    await isDue();
    const late = await leaseBookCheck(world.database, { leaseMs: 60_000, roundEveryMs: 1 });
    await isDue();
    const next = await leaseBookCheck(world.database, { leaseMs: 60_000, roundEveryMs: 1 });
    if (!late || !next) throw new Error('a replica has no lease');

    await saveBookCheck(world.database, next, { place: null, found: 1, pauseMs: 0 });
    await saveBookCheck(world.database, late, { place: null, found: 5, pauseMs: 0 });

    expect(await check()).toMatchObject({ place: null, found: 1, differences: 1 });
  });

  test('restarts a round whose first batch ended with the process', async () => {
    await isDue();
    const ofTheDead = await leaseBookCheck(world.database, { leaseMs: 0, roundEveryMs: 3_600_000 });

    const again = await leaseBookCheck(world.database, { leaseMs: 0, roundEveryMs: 3_600_000 });

    expect([ofTheDead?.place, again?.place]).toEqual(['', '']);
  });

  test('finds deleted entries behind its current position', async () => {
    const [tenant] = await merchants(1);
    if (!tenant) throw new Error('there is no merchant');
    const { merchantId, environment } = tenant;
    await world.database.query('UPDATE book_checks SET place = $1', [`${merchantId}:${environment}:3`]);
    await takeOut(world, await entryAt(world, tenant, 3));
    const reported: unknown[] = [];
    const log = createLog({ service: 'test', level: 'silent' });
    log.error = (what: unknown) => reported.push(what);

    await isDue();
    await checkNext(log);

    expect(reported).toContainEqual({ merchantId, environment, what: 'length of the chain' });
    expect((await check()).found).toBe(reported.length);
    await tamper(world, 'DELETE FROM journal_entries WHERE merchant_id = $1', [merchantId]);
  });
});

describe('the metrics of the check', () => {
  let scraper: MetricsScraper;
  let stop: () => Promise<void>;
  const shown = async (name: string) => (await scraper.scrape()).valueOf(`plataforma_books_${name}`);

  beforeAll(async () => {
    // Remove the rows of earlier tests, because the check would find their errors, too.
    for (const table of [
      'journal_lines',
      'wallet_transactions',
      'journal_entries',
      'wallets',
      'wallet_row_counts',
    ])
      await tamper(world, `DELETE FROM ${table}`, []);
    await newRound();
    await isDue();
    await world.database.query(
      `UPDATE book_checks SET checked_at = now() - interval '3 days', differences = 9`,
    );
    scraper = await openMetricsScraper();
    const env = { ...world.env, BOOKS_CHECK_EVERY_MINUTES: '60', METRICS_PORT: String(scraper.port) };
    ({ stop } = await startLedger(env, { scheduleEveryMs: 20 }));
  });
  afterAll(() => stop());

  test('show the last full check, its differences and their repair', async () => {
    await eventually(async () => expect(await shown('differences')).toBe(0));
    expect(await shown('checked_seconds')).toBeLessThan(3_600);
    expect(await shown('check_every_seconds')).toBe(3_600);
    const [tenant] = await merchants(1);
    if (!tenant) throw new Error('there is no merchant');

    await change(tenant, 7);
    await isDue();
    await eventually(async () => expect(await shown('differences')).toBe(1));

    await change(tenant, -7);
    await eventually(async () => {
      await isDue();
      expect(await shown('differences')).toBe(0);
    });
  });
});
