import type { Database, Transaction } from '@plataforma/data';
import { type AnchorType, anchorTypeOf, type EventData, type Producer } from '@plataforma/events';
import { PLATFORM_ID } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { every, type Log } from '@plataforma/observe';

type Anchor = EventData<AnchorType>;

/** Where a chain has come to. */
type Head = Pick<Anchor, 'sequence' | 'hash'>;

/** A chain of hashes of this service; `head` is null while nothing is in it. */
export interface Chain {
  name: Anchor['chain'];
  head(tx: Transaction): Promise<Head | null>;
}

export interface AnnounceHeads {
  database: Database;
  producer: Producer;
  chains: readonly Chain[];
}

const AUDIT_HEAD = `
  SELECT sequence, encode(hash, 'hex') AS hash FROM audit_log ORDER BY sequence DESC LIMIT 1`;

/** Of the log that each service keeps of what operators did. */
export const auditLogChain: Chain = {
  name: 'audit',
  async head(tx) {
    const [head] = await tx.query<Head & { [column: string]: unknown }>(AUDIT_HEAD);
    return head ?? null;
  },
};

interface Known {
  epoch: number;
  sequence: number;
  hash: string | null;
  at: Date;
  [column: string]: unknown;
}

const CLAIM = `
  SELECT epoch, sequence, hash, now() AS at FROM chain_heads WHERE chain = $1 AND next_at <= now()
  FOR UPDATE SKIP LOCKED`;
const SAVE = `
  UPDATE chain_heads SET sequence = $2, hash = $3, next_at = now() + interval '1 hour' WHERE chain = $1`;

/** Announces the head of each chain that has moved since it was announced an hour ago or more; one replica does. */
export async function announceHeads({ database, producer, chains }: AnnounceHeads): Promise<void> {
  for (const { name: chain, head: readHead } of chains) {
    await database.transaction(async (tx) => {
      const [known] = await tx.query<Known>(CLAIM, [chain]);
      if (!known) return;
      const { epoch, at, ...last } = known;
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

const LOOK_EVERY_MS = 60_000;

export function startAnnouncingHeads(parts: AnnounceHeads & { log: Log }): { stop(): Promise<void> } {
  const work = () => announceHeads(parts);
  return every({ everyMs: LOOK_EVERY_MS, log: parts.log, name: 'heads of chains', work });
}
