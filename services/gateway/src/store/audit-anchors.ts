import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { type FollowedChain, followedChains, nameOf } from '../domain/followed-chain.ts';
import { metrics } from '../metrics.ts';

/** The result of the last comparison of a chain with the hashes that other services store. */
export interface AuditAnchor extends FollowedChain {
  epoch: number;
  /**
   * The last sequence for which at least two other services store a hash of the current epoch. Null if no
   * sequence has two such hashes.
   */
  sequence: number | null;
  anchoredAt: Date | null;
  /** The time of the last check. Null if the chain has not been checked since `knownSince`. */
  checkedAt: Date | null;
  knownSince: Date | null;
  /**
   * The time of the first check that found rows after this `sequence`. Null if the last check found no such
   * rows.
   */
  unanchoredSince: Date | null;
  brokenSequence: number | null;
  begunBy: string | null;
  /** The operator who proposed the next epoch, which still needs the confirmation of a second operator. */
  nextEpochProposedBy: string | null;
  reason: string | null;
}

type Row = Omit<AuditAnchor, keyof FollowedChain> & { name: string; [column: string]: unknown };

/**
 * Rows of `audit_anchors` with `sequence` 0 begin an epoch. A chain without such a row is in epoch 1. All
 * other rows are hashes that earlier releases stored, and only this service has them.
 */
const FIND = `
  SELECT name, coalesce(newest.epoch, 1) AS epoch, newest.begun_by AS "begunBy", newest.reason,
    checks.kept_sequence AS sequence, checks.kept_at AS "anchoredAt", checks.checked_at AS "checkedAt",
    checks.known_since AS "knownSince", checks.unanchored_since AS "unanchoredSince",
    checks.broken_sequence AS "brokenSequence", proposals.proposed_by AS "nextEpochProposedBy"
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
  LEFT JOIN LATERAL (SELECT * FROM audit_anchors WHERE service = name AND sequence = 0
    ORDER BY epoch DESC LIMIT 1) newest ON true
  LEFT JOIN audit_epoch_proposals proposals ON proposals.service = name
    AND proposals.epoch = coalesce(newest.epoch, 1) + 1 AND proposals.proposed_at > now() - interval '1 day'
    AND EXISTS (SELECT FROM operators WHERE operators.id = proposals.proposed_by AND is_active)
  LEFT JOIN audit_anchor_checks checks ON checks.service = name
  ORDER BY place`;

export async function findAnchors(db: Queryable, chains: readonly FollowedChain[]): Promise<AuditAnchor[]> {
  const rows = await db.query<Row>(FIND, [chains.map(nameOf)]);
  return rows.flatMap(({ name, ...row }) => {
    const of = chains.find((one) => nameOf(one) === name);
    return of ? [{ ...row, ...of }] : [];
  });
}

export async function findAnchor(db: Queryable, of: FollowedChain): Promise<AuditAnchor> {
  const [anchor] = await findAnchors(db, [of]);
  if (!anchor) throw new Error('each chain has a row');
  return anchor;
}

/**
 * `kept_at` is the time in the anchor, which comes from the clock of another service. All other times come
 * from this database's clock, which may differ.
 */
const CHECKED = `
  INSERT INTO audit_anchor_checks AS known
    (service, checked_at, broken_sequence, kept_sequence, kept_at, unanchored_since)
  VALUES ($1, now(), $2, $3, $4, CASE WHEN $5 THEN now() END)
  ON CONFLICT (service) DO UPDATE SET checked_at = now(), broken_sequence = excluded.broken_sequence,
    kept_sequence = excluded.kept_sequence, kept_at = excluded.kept_at,
    unanchored_since = CASE WHEN excluded.kept_sequence IS NOT DISTINCT FROM known.kept_sequence AND $5
      THEN coalesce(known.unanchored_since, now()) ELSE excluded.unanchored_since END`;

interface Found {
  brokenSequence: number | null;
  anchored: { sequence: number; at: string } | null;
  /** Whether the chain has rows after its last anchor. */
  hasMore: boolean;
}

export async function saveAnchorCheck(
  db: Queryable,
  of: FollowedChain,
  { brokenSequence, anchored, hasMore }: Found,
): Promise<void> {
  const position = [anchored?.sequence ?? null, anchored?.at ?? null];
  await db.query(CHECKED, [nameOf(of), brokenSequence, ...position, hasMore]);
}

/**
 * Locks a chain's anchors and returns the chain's state. Decisions of replicas and operators about the epoch
 * of the chain then run one after the other.
 */
export async function lockAnchors(tx: Transaction, of: FollowedChain): Promise<AuditAnchor> {
  await tx.query('SELECT pg_advisory_xact_lock(27, hashtext($1))', [nameOf(of)]);
  return findAnchor(tx, of);
}

const BEGIN = `
  INSERT INTO audit_anchors (service, epoch, sequence, begun_by, reason, proposed_by) VALUES ($1, $2, 0, $3,
  $4, $5)`;

export async function beginEpoch(
  tx: Transaction,
  { epoch, ...of }: FollowedChain & { epoch: number },
  { operatorId, reason, proposedBy }: { operatorId: string; reason: string; proposedBy: string | null },
): Promise<void> {
  await tx.query(BEGIN, [nameOf(of), epoch, operatorId, reason, proposedBy]);
  await tx.query('DELETE FROM audit_anchor_checks WHERE service = $1', [nameOf(of)]);
  await tx.query('INSERT INTO audit_anchor_checks (service) VALUES ($1)', [nameOf(of)]);
}

/**
 * Returns three gauges for each chain: whether it matches its anchors, the age of its last check, and the age
 * of rows without an anchor. Without a check, the second gauge counts from `knownSince`.
 */
export async function readAnchorGauges(database: Database): Promise<GaugeSample[]> {
  const now = new Date();
  const anchors = await findAnchors(database, followedChains);
  return anchors.flatMap((anchor): GaugeSample[] => {
    const { service: of, chain, brokenSequence, checkedAt, knownSince, unanchoredSince } = anchor;
    const since = checkedAt ?? knownSince;
    return [
      metrics.gauge('plataforma_audit_log_broken', { of, chain }, brokenSequence === null ? 0 : 1),
      metrics.gauge(
        'plataforma_chain_unanchored_seconds',
        { of, chain },
        secondsFrom(unanchoredSince, checkedAt),
      ),
      ...(since
        ? [metrics.gauge('plataforma_audit_log_checked_seconds', { of, chain }, secondsFrom(since, now))]
        : []),
    ];
  });
}

const secondsFrom = (from: Date | null, to: Date | null) =>
  from && to ? (to.getTime() - from.getTime()) / 1_000 : 0;
