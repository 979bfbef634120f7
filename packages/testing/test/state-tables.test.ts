import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import {
  type DecidedTable,
  faultOfPair,
  faultsOfStorage,
  faultsOfTable,
  pairsOf,
} from '../src/state-table-faults.ts';
import { exportedTables, sourcesOf } from '../src/state-tables.ts';
import { openTestDatabase } from '../src/world/index.ts';

const services = join(import.meta.dirname, '../../../services');

const oldShape = /Record<\w*Stat(us|e),\s*(Readonly<)?(Partial<\s*Record<|readonly \w+\[\]|\w+\[\])/;

describe('the services', () => {
  test('describe status changes in one shape only', () => {
    const found = readdirSync(services).flatMap((service) =>
      sourcesOf(join(services, service))
        .filter(({ text }) => oldShape.test(text))
        .map(({ path }) => `${service}/${path}`),
    );

    expect(found).toEqual([]);
  });

  test('test each of their state tables', () => {
    const untested = readdirSync(services)
      .filter((service) => exportedTables(join(services, service)).length > 0)
      .filter((service) => !existsSync(join(services, service, 'test/state-tables.test.ts')));

    expect(untested).toEqual([]);
  });
});

describe('the test of a state table', () => {
  const gate: DecidedTable = {
    table: { OPEN: { close: 'CLOSED' }, CLOSED: { open: 'OPEN', wall_up: 'WALL' }, WALL: {} },
    initial: 'OPEN',
    ends: ['WALL'],
    storedIn: 'doors.status',
    steps: ['OPEN close CLOSED', 'CLOSED open OPEN', 'CLOSED wall_up WALL'],
  };
  let database: Database;

  beforeAll(async () => {
    ({ database } = await openTestDatabase());
    await database.query(`CREATE TABLE doors (
      status   text NOT NULL CHECK (status IN ('OPEN', 'CLOSED', 'WALL')),
      loose    text NOT NULL,
      nullable text CHECK (nullable IN ('OPEN', 'CLOSED', 'WALL')),
      narrow   text NOT NULL CHECK (narrow IN ('OPEN', 'CLOSED')),
      wide     text NOT NULL CHECK (wide IN ('OPEN', 'CLOSED', 'WALL', 'AJAR')),
      former   text NOT NULL)`);
    await database.query(`ALTER TABLE doors ADD CHECK (former IN ('OPEN', 'CLOSED', 'WALL')) NOT VALID`);
  });
  afterAll(() => database.close());

  const faultsOfSteps = (changed: Partial<DecidedTable>) => {
    const decided = { ...gate, ...changed };
    return pairsOf(decided).flatMap((pair) => faultOfPair(decided, pair) ?? []);
  };

  test('reports no fault for a correct table', async () => {
    expect(pairsOf(gate)).toHaveLength(3 * 3);
    expect(faultsOfSteps({})).toEqual([]);
    expect(faultsOfTable(gate)).toEqual([]);
    expect(await faultsOfStorage(database, gate)).toEqual([]);
  });

  test('reports a missing, an extra and a wrong step', () => {
    expect(faultsOfSteps({ steps: gate.steps.slice(1) })).toEqual(['OPEN close leads to CLOSED, not null']);
    expect(faultsOfSteps({ steps: [...gate.steps, 'WALL break OPEN'] })).toEqual([
      'WALL break leads to null, not OPEN',
    ]);
    const steps = ['OPEN close WALL', ...gate.steps.slice(1)];
    expect(faultsOfSteps({ steps })).toEqual(['OPEN close leads to CLOSED, not WALL']);
  });

  test('reports wrong ends and unreachable statuses', () => {
    expect(faultsOfTable({ ...gate, ends: ['WALL', 'CLOSED'] })).toEqual(['CLOSED is an end with a way out']);
    expect(faultsOfTable({ ...gate, ends: [] })).toEqual(['WALL has no way out and is no end']);
    const table = { ...gate.table, BURNT: {} };
    expect(faultsOfTable({ ...gate, table, ends: ['WALL', 'BURNT'] })).toEqual(['nothing leads to BURNT']);
    expect(faultsOfTable({ ...gate, initial: 'AJAR' })).toContain('AJAR is no status of the table');
  });

  test.each<[`doors.${string}`, string]>([
    ['doors.loose', 'doors.loose has no CHECK of its statuses alone'],
    ['doors.former', 'doors.former has no CHECK of its statuses alone'],
    ['doors.nullable', 'doors.nullable may be null'],
    ['doors.narrow', 'doors.narrow refuses WALL'],
    ['doors.wide', 'doors.wide allows AJAR'],
    ['doors.none', 'there is no column doors.none'],
  ])('reports for %s that %s', async (storedIn, fault) => {
    expect(await faultsOfStorage(database, { ...gate, storedIn })).toEqual([fault]);
  });
});
