import { afterAll, beforeAll } from '@jest/globals';
import type { Database, Migration } from '@plataforma/data';
import { openTestDatabase } from './open-test-database.ts';

/**
 * The time limit for a start. A platform takes minutes to start while the long files of a run begin together.
 */
const START_MS = 600_000;

/**
 * Returns an empty object. Before the first test of the file, the fields of the result of `start` are copied
 * to the object.
 */
export function beforeFile<Started extends object>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()), START_MS);
  return started;
}

/** Starts a test environment before the first test of the file, and stops it after the last test. */
export function worldOfFile<World extends { stop(): Promise<unknown> }>(start: () => Promise<World>): World {
  const world = beforeFile(start);
  afterAll(() => world.stop());
  return world;
}

/** Opens a migrated database before the first test of the file, and closes it after the last test. */
export function databaseOfFile(migrations: readonly Migration[], poolSize?: number): Database {
  const database = beforeFile(async () => (await openTestDatabase(migrations, poolSize)).database);
  afterAll(() => database.close());
  return database;
}
