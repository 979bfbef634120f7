import { afterAll, beforeAll } from '@jest/globals';
import type { Database, Migration } from '@plataforma/data';
import { openTestDatabase } from './open-test-database.ts';

/** Returns what `start` resolves with, which is there from before the first test of the file. */
export function beforeFile<Started extends object>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  return started;
}

/** Returns the world of a test file, which stops after its last test. */
export function worldOfFile<World extends { stop(): Promise<unknown> }>(start: () => Promise<World>): World {
  const world = beforeFile(start);
  afterAll(() => world.stop());
  return world;
}

/** Returns a database of a test file's own with these migrations, which closes after its last test. */
export function databaseOfFile(migrations: readonly Migration[], poolSize?: number): Database {
  const database = beforeFile(async () => (await openTestDatabase(migrations, poolSize)).database);
  afterAll(() => database.close());
  return database;
}
