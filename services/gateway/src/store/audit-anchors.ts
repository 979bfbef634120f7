import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { type FollowedChain, followedChains, nameOf } from '../domain/followed-chain.ts';
import { metrics } from '../metrics.ts';

/** How a chain of a service, as it is kept by the others, was last found. */
export interface AuditAnchor extends FollowedChain {
  epoch: number;
  /** The last place that others keep in this epoch; null: none yet. */
  sequence: number | null;
  anchoredAt: Date | null;
  checkedAt: Date | null;
  brokenSequence: number | null;
  begunBy: string | null;
  /** Who has asked for the next epoch, which another operator has not yet. */
  nextEpochProposedBy: string | null;
  reason: string | null;
}

type Row = Omit<AuditAnchor, keyof FollowedChain> & { name: string; [column: string]: unknown };

/** An epoch without a row is the first; `audit_anchors` has hashes too, of releases that kept them in no other service. */
const FIND = `
  SELECT name, coalesce(newest.epoch, 1) AS epoch, newest.begun_by AS "begunBy", newest.reason,
    checks.kept_sequence AS sequence, checks.kept_at AS "anchoredAt", checks.checked_at AS "checkedAt",
    checks.broken_sequence AS "brokenSequence", proposals.proposed_by AS "nextEpochProposedBy"
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
  LEFT JOIN LATERAL (SELECT * FROM audit_anchors WHERE service = name AND sequence = 0
    ORDER BY epoch DESC LIMIT 1) newest ON true
  LEFT JOIN audit_epoch_proposals proposals ON proposals.service = name
    AND proposals.epoch = coalesce(newest.epoch, 1) + 1 AND proposals.proposed_at > now() - interval '1 day'
    AND EXISTS (SELECT FROM operators WHERE operators.id = proposals.proposed_by AND is_active)
  LEFT JOIN audit_anchor_checks checks ON checks.service = name
  ORDER BY place`;

/** Of each chain, in their order. */
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

const CHECKED = `
  INSERT INTO audit_anchor_checks AS known (service, checked_at, broken_sequence, kept_sequence, kept_at)
  VALUES ($1, now(), $2, $3, $4)
  ON CONFLICT (service) DO UPDATE SET checked_at = now(), broken_sequence = excluded.broken_sequence,
    kept_sequence = excluded.kept_sequence, kept_at = excluded.kept_at`;

interface Found {
  brokenSequence: number | null;
  /** What is kept last of it. */
  last: { sequence: number; at: string } | null;
}

export async function saveAnchorCheck(
  db: Queryable,
  of: FollowedChain,
  { brokenSequence, last }: Found,
): Promise<void> {
  await db.query(CHECKED, [nameOf(of), brokenSequence, last?.sequence ?? null, last?.at ?? null]);
}

/** Lets one replica, or one operator, at a time decide about the epoch of a chain. */
export async function lockAnchors(tx: Transaction, of: FollowedChain): Promise<AuditAnchor> {
  await tx.query('SELECT pg_advisory_xact_lock(27, hashtext($1))', [nameOf(of)]);
  return findAnchor(tx, of);
}

const BEGIN = `
  INSERT INTO audit_anchors (service, epoch, sequence, begun_by, reason, proposed_by) VALUES ($1, $2, 0, $3, $4, $5)`;

export async function beginEpoch(
  tx: Transaction,
  { epoch, ...of }: FollowedChain & { epoch: number },
  { operatorId, reason, proposedBy }: { operatorId: string; reason: string; proposedBy: string | null },
): Promise<void> {
  await tx.query(BEGIN, [nameOf(of), epoch, operatorId, reason, proposedBy]);
  await tx.query('DELETE FROM audit_anchor_checks WHERE service = $1', [nameOf(of)]);
}

/** Which chains no longer fit what is kept of them, and how long ago each was last compared. */
export async function readAnchorGauges(database: Database): Promise<GaugeSample[]> {
  const now = Date.now();
  const anchors = await findAnchors(database, followedChains);
  return anchors.flatMap(({ service: of, chain, brokenSequence, checkedAt }): GaugeSample[] => [
    metrics.gauge('plataforma_audit_log_broken', { of, chain }, brokenSequence === null ? 0 : 1),
    ...(checkedAt
      ? [
          metrics.gauge(
            'plataforma_audit_log_checked_seconds',
            { of, chain },
            (now - checkedAt.getTime()) / 1_000,
          ),
        ]
      : []),
  ]);
}
