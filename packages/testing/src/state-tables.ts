import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Migration } from '@plataforma/data';
import {
  type DecidedTable,
  faultOfPair,
  faultsOfStorage,
  faultsOfTable,
  pairsOf,
} from './state-table-faults.ts';
import { type OpenTestDatabase, openTestDatabase } from './world/open-test-database.ts';

interface StateTables {
  root: string;
  migrations: readonly Migration[];
  /**
   * The state tables to test, each under the name of its export. They must be all state tables that the
   * service exports.
   */
  tables: Readonly<Record<string, DecidedTable>>;
}

/**
 * Registers the tests of all state tables of a service: each step, the final statuses, and the values that
 * the database allows.
 */
export function testStateTables({ root, migrations, tables }: StateTables): void {
  let opened: OpenTestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(migrations);
  });
  afterAll(() => opened.database.close());

  test('every state table of the service is tested', () => {
    expect(Object.keys(tables).sort()).toEqual(exportedTables(root));
  });

  describe.each(Object.entries(tables))('%s', (_name, decided) => {
    test.each(pairsOf(decided))('from $status, $verb leads only to the listed status', (pair) => {
      expect(faultOfPair(decided, pair)).toBeNull();
    });

    test('has ends without exits, and every status is reachable', () => {
      expect(faultsOfTable(decided)).toEqual([]);
    });

    test('has exactly the statuses that the database allows', async () => {
      expect(await faultsOfStorage(opened.database, decided)).toEqual([]);
    });
  });
}

/** Returns the names of all state tables that the sources of a service export, sorted. */
export function exportedTables(root: string): string[] {
  const declaration = /^export const (\w+): Table</gm;
  return sourcesOf(root)
    .flatMap(({ text }) => [...text.matchAll(declaration)].map(([, name]) => name ?? ''))
    .sort();
}

/** Returns the TypeScript files under a service's `src`. */
export function sourcesOf(root: string): { path: string; text: string }[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));
}
