import type { Database, Queryable } from '@plataforma/data';
import { anchorTypeOf, type Producer } from '@plataforma/events';
import { PLATFORM_ID } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import { announce } from '../announce.ts';
import type { Chain } from './chain.ts';

export interface AnnounceHeads {
  database: Database;
  producer: Producer;
  chains: readonly Chain[];
  /**
   * Returns true while the service's listener is connected. The broker then has the permissions of this
   * release, which allow the service to publish its anchors.
   */
  isListening(): boolean;
}

interface AnnouncedHead {
  epoch: number;
  sequence: number;
  hash: string | null;
  at: Date;
}

const LOCK_DUE_HEAD = `
  SELECT epoch, sequence, hash, now() AS at FROM chain_heads WHERE chain = $1 AND next_at <= now()
  FOR UPDATE SKIP LOCKED`;
const SAVE = `
  UPDATE chain_heads SET sequence = $2, hash = $3, next_at = now() + interval '1 hour' WHERE chain = $1`;

/**
 * Announces the head (the newest place and hash) of each chain that has grown since the last announcement, at
 * most once an hour. One replica at a time announces a head. Announces nothing while the broker has the
 * permissions of an earlier release: the broker would refuse the event, which would block the outbox.
 */
export async function announceHeads(dependencies: AnnounceHeads): Promise<void> {
  const { database, producer, chains, isListening } = dependencies;
  if (!isListening()) return;
  for (const { name: chain, head: readHead } of chains) {
    await database.transaction(async (tx) => {
      const [announced] = await tx.query<AnnouncedHead>(LOCK_DUE_HEAD, [chain]);
      if (!announced) return;
      const { epoch, at, ...last } = announced;
      const head = (await readHead(tx)) ?? last;
      await tx.query(SAVE, [chain, head.sequence, head.hash]);
      const { sequence, hash } = head;
      if (hash === null || (sequence === last.sequence && hash === last.hash)) return;
      await announce(tx, {
        ...{ type: anchorTypeOf(producer), merchantId: PLATFORM_ID, environment: null },
        ...{ aggregateId: PLATFORM_ID, sequence },
        data: { chain, epoch, sequence, hash, at: at.toISOString() },
      });
    });
  }
}

const BEGIN_EPOCH = `
  UPDATE chain_heads SET epoch = $2, sequence = 0, hash = NULL, next_at = now() WHERE chain = $1
  AND epoch < $2`;
const EPOCH = 'SELECT epoch FROM chain_heads WHERE chain = $1';

/**
 * Begins a new epoch of a chain, and makes the announcement of its head due at once. Returns the chain's
 * present epoch, which never becomes lower.
 */
export async function beginChainEpoch(db: Queryable, chain: string, epoch: number): Promise<number> {
  await db.query(BEGIN_EPOCH, [chain, epoch]);
  const [row] = await db.query<{ epoch: number }>(EPOCH, [chain]);
  return row?.epoch ?? epoch;
}

const CHECK_EVERY_MS = 60_000;

export function startAnnouncingHeads(dependencies: AnnounceHeads & { log: Log }): { stop(): Promise<void> } {
  const work = () => announceHeads(dependencies);
  return every({ everyMs: CHECK_EVERY_MS, log: dependencies.log, name: 'heads of chains', work });
}
