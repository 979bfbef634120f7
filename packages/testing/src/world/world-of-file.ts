import { afterAll, beforeAll } from '@jest/globals';
import type { Database, Migration } from '@plataforma/data';
import { openTestDatabase } from './open-test-database.ts';

/** Returns an object that gets the result of `start` before the first test of the file. */
export function beforeFile<Started extends object>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  return started;
}

/** Starts a world before the first test of the file, and stops it after the last one. */
export function worldOfFile<World extends { stop(): Promise<unknown> }>(start: () => Promise<World>): World {
  const world = beforeFile(start);
  afterAll(() => world.stop());
  return world;
}

/** Opens a database with these migrations for a test file, and closes it after the last test. */
export function databaseOfFile(migrations: readonly Migration[], poolSize?: number): Database {
  const database = beforeFile(async () => (await openTestDatabase(migrations, poolSize)).database);
  afterAll(() => database.close());
  return database;
}
