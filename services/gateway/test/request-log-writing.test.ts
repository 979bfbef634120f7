import { beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { eventually, openMetricsScraper } from '@plataforma/testing';
import { beforeFile, silent, worldOfFile } from '@plataforma/testing/world';
import { startRequestLog } from '../src/request-log.ts';
import type { RequestLine } from '../src/store/request-log.ts';
import { startWorld } from './support/world.ts';

const scraper = beforeFile(openMetricsScraper);
const world = worldOfFile(() => startWorld({ settings: { METRICS_PORT: String(scraper.port) } }));
beforeEach(() => world.database.query('DELETE FROM request_log'));

const merchantId = newId();

const line = (changes: Partial<RequestLine> = {}): RequestLine => ({
  ...{ id: newId(), merchantId, environment: 'sandbox', apiKeyId: null, method: 'GET', path: '/v1/charges' },
  ...{ parameters: ['limit'], status: 200, errorCode: null, durationMs: 1, objectId: null, requestId: null },
  errorMessage: null,
  ...changes,
});

const written = async () =>
  (await world.database.query<{ id: string }>('SELECT id FROM request_log ORDER BY id')).map(({ id }) => id);

/** Returns the gateway's database, whose queries fail when `hinder` throws. */
function databaseWhich(hinder: () => void): Database {
  return {
    ...world.database,
    async query(text, values) {
      hinder();
      return world.database.query(text, values);
    },
  };
}

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const lost = async (cause: string) =>
  (await scraper.scrape()).valueOf('plataforma_request_log_lost_total', { cause }) ?? 0;

test('thousands of lines need a few statements', async () => {
  let statements = 0;
  const log = startRequestLog({
    database: databaseWhich(() => {
      statements += 1;
    }),
    ...{ log: silent, everyMs: 60_000, maxASecond: 2_500 },
  });
  const lines = Array.from({ length: 2_500 }, () => line());

  for (const one of lines) log.add(one);
  await log.stop();

  expect(statements).toBe(3);
  expect(await written()).toEqual(lines.map(({ id }) => id));
});

test('lines wait for the database; those above the limit are lost', async () => {
  let isAway = true;
  let tries = 0;
  const database = databaseWhich(() => {
    tries += 1;
    if (isAway) throw away();
  });
  const log = startRequestLog({ database, log: silent, everyMs: 5, maxWaiting: 10 });
  const lines = Array.from({ length: 14 }, () => line());
  const before = await lost('full');

  for (const one of lines) log.add(one);
  await eventually(() => expect(tries).toBeGreaterThan(2));
  isAway = false;

  await eventually(async () => expect(await written()).toEqual(lines.slice(0, 10).map(({ id }) => id)));
  expect(await lost('full')).toBe(before + 4);
  await log.stop();
});

test('lines with an unconfirmed outcome are written again, once', async () => {
  let isFirst = true;
  const database: Database = {
    ...world.database,
    async query(text, values) {
      const rows = await world.database.query(text, values);
      if (isFirst) {
        isFirst = false;
        throw away();
      }
      return rows as never;
    },
  };
  const log = startRequestLog({ database, log: silent, everyMs: 5 });
  const one = line();

  log.add(one);

  await eventually(() => expect(isFirst).toBe(false));
  await log.stop();
  expect(await written()).toEqual([one.id]);
});

test('only the lines that the database refuses are lost', async () => {
  let statements = 0;
  const database = databaseWhich(() => {
    statements += 1;
  });
  const log = startRequestLog({ database, log: silent, everyMs: 60_000, maxASecond: 2_000 });
  const before = await lost('refused');
  const isBad = (at: number) => [0, 700, 1_499].includes(at);
  const lines = Array.from({ length: 1_500 }, (_, at) => line(isBad(at) ? { durationMs: 2 ** 40 } : {}));

  for (const one of lines) log.add(one);
  await log.stop();

  expect(await written()).toEqual(lines.filter((_, at) => !isBad(at)).map(({ id }) => id));
  expect(await lost('refused')).toBe(before + 3);
  expect(statements).toBeLessThan(150);
});

test('a batch is lost at once when the table accepts no line', async () => {
  const before = await lost('refused');
  let statements = 0;
  const without = databaseWhich(() => {
    statements += 1;
    throw Object.assign(new Error('permission denied'), { code: '42501' });
  });
  const log = startRequestLog({ database: without, log: silent, everyMs: 60_000 });

  for (let count = 0; count < 3; count += 1) log.add(line());
  await log.stop();

  expect([statements, await lost('refused')]).toEqual([1, before + 3]);
});

test('each environment of a merchant has a limit of lines a second', async () => {
  let now = 10_000;
  const options = { log: silent, everyMs: 60_000, maxASecond: 3, elapsed: () => now };
  const log = startRequestLog({ database: world.database, ...options });
  const before = await lost('many');
  const others = [line({ merchantId: newId() }), line({ environment: 'production' })];
  const [first, then] = [0, 1].map(() => Array.from({ length: 5 }, () => line())) as [
    RequestLine[],
    RequestLine[],
  ];

  for (const one of [...first, ...others]) log.add(one);
  now += 1_000;
  for (const one of then) log.add(one);
  await log.stop();

  const expected = [...first.slice(0, 3), ...others, ...then.slice(0, 3)].map(({ id }) => id);
  expect(await written()).toEqual(expected.sort());
  expect(await lost('many')).toBe(before + 4);
});

test('a refused key gets one line a second for each reason', async () => {
  const log = startRequestLog({
    ...{ database: world.database, log: silent, everyMs: 60_000, maxASecond: 5, elapsed: () => 0 },
  });
  const before = await lost('many');
  const [key, dead] = [newId(), newId()];
  const limited = () => line({ apiKeyId: key, status: 429, errorCode: 'RATE_LIMITED' });
  const revoked = () => line({ apiKeyId: dead, status: 401, errorCode: 'API_KEY_REVOKED' });
  const lines = Array.from({ length: 20 }, () => [limited(), revoked()]).flat();
  const others = [line(), line({ apiKeyId: key }), line({ apiKeyId: null, errorCode: 'RATE_LIMITED' })];

  for (const one of [...lines, ...others]) log.add(one);
  await log.stop();

  expect(await written()).toEqual([...lines.slice(0, 2), ...others].map(({ id }) => id));
  expect(await lost('many')).toBe(before + 38);
});

test('lines that a stop cannot write are counted', async () => {
  const log = startRequestLog({
    database: databaseWhich(() => {
      throw away();
    }),
    log: silent,
    everyMs: 60_000,
  });
  const before = await lost('stopped');

  for (let count = 0; count < 3; count += 1) log.add(line());
  await log.stop();

  expect(await lost('stopped')).toBe(before + 3);
});

test('a request does not wait for its line', async () => {
  const key = await world.newKey(await world.newMerchant());
  await world.call('/v1/charges', { headers: { 'x-api-key': key.key } });

  const answered = await world.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
    return world.call('/v1/charges', { headers: { 'x-api-key': key.key } });
  });

  expect(answered.status).toBe(200);
  await eventually(async () => {
    const rows = await world.database.query("SELECT status FROM request_log WHERE path = '/v1/charges'");
    expect(rows).toEqual([{ status: 200 }, { status: 200 }]);
  });
});
