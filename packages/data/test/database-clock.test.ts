import { afterEach, describe, expect, test } from '@jest/globals';
import { Refusal } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { createCapturedLog, databaseOfFile, silent } from '@plataforma/testing/fixtures';
import { within } from '../src/database-clock.ts';
import { type Database, type Row, startDatabaseClock } from '../src/index.ts';

const database = databaseOfFile([], 2);

const trueNow = Date.now;
afterEach(() => {
  Date.now = trueNow;
});

const HOUR_MS = 3_600_000;

async function databaseNow(): Promise<number> {
  const [row] = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row?.at.getTime() ?? Number.NaN;
}

describe('the time of the database', () => {
  test('is right although the machine’s clock is wrong or changes', async () => {
    Date.now = () => trueNow() + HOUR_MS;
    const { clock, stop } = await startDatabaseClock(database, silent);

    const before = await databaseNow();
    const readings = [clock().getTime()];
    Date.now = () => trueNow() - HOUR_MS;
    readings.push(clock().getTime());
    const after = await databaseNow();
    await stop();

    for (const at of readings) {
      expect(at).toBeGreaterThan(before - HOUR_MS / 2);
      expect(at).toBeLessThanOrEqual(after + HOUR_MS / 2);
    }
  });

  test('is unavailable until the database answers', async () => {
    let isDown = true;
    const shy: Database = {
      ...database,
      query: <R extends Row>(text: string, values?: readonly unknown[]) =>
        isDown ? Promise.reject(new Error('it starts')) : database.query<R>(text, values),
    };
    const { log, lines } = createCapturedLog();

    const { clock, stop } = await startDatabaseClock(shy, log);
    const refused = () => clock();
    expect(refused).toThrow(Refusal);
    expect(refused).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
    isDown = false;

    await eventually(() => expect(clock()).toBeInstanceOf(Date));
    await stop();
    expect(lines[0]).toContain('database time not read');
  });
});

describe('the estimated offset of the database’s time', () => {
  test.each([
    ['begins at the lower bound', undefined, { from: 10, to: 14 }, 10],
    ['stays the same within the bounds of an answer', 12, { from: 10, to: 14 }, 12],
    ['stays the same after a slow answer', 12, { from: -30_000, to: 14 }, 12],
    ['gets more exact with a faster answer', 10, { from: 11, to: 14 }, 11],
    ['moves ahead after this machine slept', 10, { from: 90_000, to: 90_004 }, 90_000],
    ['moves back with the database’s clock', 10, { from: -500, to: -496 }, -496],
  ])('%s', (_how, previous, answer, becomes) => {
    expect(within(previous, answer)).toBe(becomes);
  });
});
