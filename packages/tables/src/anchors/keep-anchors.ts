import type { Database, Transaction } from '@plataforma/data';
import { type AnchorType, type DomainEvent, isAnchorType, producerOf } from '@plataforma/events';
import type { GaugeSample, Log } from '@plataforma/observe';
import type { Apply } from '../inbox.ts';
import { metrics } from '../metrics.ts';

type AnchorEvent = Extract<DomainEvent, { type: AnchorType }>;

/** Returns an event handler that saves anchors and passes all other events to `apply`. */
export function savingAnchors(log: Log, apply: Apply): Apply {
  return async (tx, events) => {
    const others: DomainEvent[] = [];
    for (const event of events) {
      if (isAnchor(event)) await saveAnchor(tx, log, event);
      else others.push(event);
    }
    if (others.length > 0) await apply(tx, others);
  };
}

function isAnchor(event: DomainEvent): event is AnchorEvent {
  return isAnchorType(event.type);
}

const SAVE = `
  INSERT INTO chain_anchors (service, chain, epoch, sequence, hash, at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING`;
const CONTRADICTING = `
  SELECT hash FROM chain_anchors WHERE service = $1 AND chain = $2 AND epoch = $3 AND sequence = $4
  AND hash <> $5`;

/**
 * Saves an anchor; anchors may arrive repeatedly and in any order. A different hash for the same sequence
 * number is saved too, and logged as an error.
 */
async function saveAnchor(tx: Transaction, log: Log, { type, data }: AnchorEvent): Promise<void> {
  const { chain, epoch, sequence, hash, at } = data;
  const service = producerOf(type);
  const anchor = [service, chain, epoch, sequence, hash];
  await tx.query(SAVE, [...anchor, at]);
  const others = await tx.query(CONTRADICTING, anchor);
  if (others.length === 0) return;
  log.error({ of: service, chain, epoch, sequence }, 'chain head contradicts its anchor');
}

/**
 * Counts only anchors of the newest epoch of each chain. After a restore from a backup, operators begin a new
 * epoch. The same sequence numbers may then have other hashes.
 */
const CONTRADICTIONS = `
  SELECT service, chain, count(*) FILTER (WHERE hashes > 1) AS contradictions FROM (
    SELECT service, chain, sequence, count(*) AS hashes FROM chain_anchors AS anchors
    WHERE epoch = (SELECT max(epoch) FROM chain_anchors AS newest
      WHERE newest.service = anchors.service AND newest.chain = anchors.chain)
    GROUP BY service, chain, sequence) AS places
  GROUP BY service, chain ORDER BY service, chain`;

/** Counts, for each chain, the sequence numbers for which this service stores more than one hash. */
export async function readAnchorContradictions(database: Database): Promise<GaugeSample[]> {
  const rows = await database.query<{ service: string; chain: string; contradictions: number }>(
    CONTRADICTIONS,
  );
  return rows.map(({ service: of, chain, contradictions }) =>
    metrics.gauge('plataforma_chain_contradictions', { of, chain }, contradictions),
  );
}
