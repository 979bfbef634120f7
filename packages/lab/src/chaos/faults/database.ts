import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Platform, withDatabase } from '@plataforma/testing';
import type { Dice } from '../dice.ts';
import type { World } from '../world/world.ts';
import { breakFor } from './broken.ts';
import type { Fault, Struck } from './fault.ts';
import { behave } from './network.ts';
import { anyService } from './replicas.ts';

type Servers = Pick<World, 'postgres'>;
type Databases = { platform: Pick<Platform, 'databaseUrls'> };

const group = 'database';
const RESTART = { timeoutMs: 120_000, intervalMs: 250 };

export async function execute(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return (await withDatabase(url, (client) => client.query(statement))).rows;
}

function away({ postgres }: Servers, { how, ms }: { how: 'kill' | 'stop'; ms: number }) {
  return breakFor({
    ...{ what: `PostgreSQL gone for ${ms} ms`, ms },
    breaks: () => postgres[how](),
    mends: () => eventually(() => postgres.start(), RESTART),
  });
}

function endConnections({ platform }: Databases, dice: Dice) {
  const service = anyService(dice);
  const share = dice.pick([0.3, 1]);
  let ended = 0;
  return breakFor({
    ...{ what: `${share === 1 ? 'all' : 'some'} of ${service}`, ms: 0 },
    async breaks() {
      const statement = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < ${share}`;
      ended = (await execute(platform.databaseUrls[service], statement)).length;
    },
    isMet: () => ended > 0,
    mends: () => undefined,
  });
}

const TABLES = `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'
  ORDER BY tablename`;

/** Locks a table of a database. Queries of the table then occupy connections until the pool is exhausted. */
async function lockTable({ platform }: Databases, dice: Dice): Promise<Struck> {
  const service = anyService(dice);
  const url = platform.databaseUrls[service];
  const tables = await execute(url, TABLES).catch(() => []);
  if (tables.length === 0) return { what: `${service}: in vain`, isInVain: true, mendedAt: Date.now() };
  const [{ name }, ms] = [dice.pick(tables), dice.int(2_000, 8_000)];
  const lock = `BEGIN; SET LOCAL lock_timeout = '5s'; LOCK TABLE ${name}`;
  return breakFor({
    ...{ what: `${name} of ${service} for ${ms} ms`, ms: 0 },
    breaks: () => withDatabase(url, (client) => client.query(lock).then(() => sleep(ms))),
    mends: () => undefined,
  });
}

function loseCommits({ links }: Pick<World, 'links'>, dice: Dice): Promise<Struck> {
  const lossy = links.filter(({ kind }) => kind === 'database');
  const times = dice.int(1, 12);
  const lost = () => lossy.reduce((sum, link) => sum + link.lostCommits(), 0);
  const before = lost();
  return breakFor({
    ...{ what: `${times} of each process`, ms: dice.int(2_000, 8_000) },
    breaks: () => behave(lossy, { kind: 'loses COMMIT answers', times }),
    isMet: () => lost() > before,
    mends: () => behave(lossy, { kind: 'passes' }),
  });
}

export const databaseFaults = [
  {
    ...{ name: 'database killed', group, weight: 2 },
    strike: (world: Servers, dice: Dice) => away(world, { how: 'kill', ms: dice.int(0, 5_000) }),
  },
  {
    ...{ name: 'database restarted', group, weight: 2 },
    strike: (world: Servers, dice: Dice) => away(world, { how: 'stop', ms: dice.int(0, 5_000) }),
  },
  { ...{ name: 'database connections ended', group, weight: 3 }, strike: endConnections },
  { ...{ name: 'table locked', group, weight: 2 }, strike: lockTable },
  { ...{ name: 'COMMIT answers lost', group, weight: 6 }, strike: loseCommits },
] as const satisfies Fault[];
