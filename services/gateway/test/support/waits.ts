import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { World } from './world.ts';

/** Returns a function that waits until one statement with this text waits for a lock. */
export function waitsIn(world: Pick<World, 'database'>): (statement: string) => Promise<void> {
  const waiting = `
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
  return (statement) =>
    eventually(async () => {
      expect(await world.database.query(waiting, [`%${statement}%`])).toHaveLength(1);
    });
}
