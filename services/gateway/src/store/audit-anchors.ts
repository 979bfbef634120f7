import { type TimelineService, timelineServices } from '@plataforma/contracts';
import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';

/** How far the audit log of a service is anchored here. */
export interface AuditAnchor {
  service: TimelineService;
  epoch: number;
  /** 0: nowhere yet in this epoch. */
  sequence: number;
  hash: string | null;
  anchoredAt: Date | null;
  checkedAt: Date | null;
  brokenSequence: number | null;
  begunBy: string | null;
  /** Who has asked for the next epoch, which another operator has not yet. */
  nextEpochProposedBy: string | null;
  reason: string | null;
}

type Row = AuditAnchor & { begun: boolean; [column: string]: unknown };

const FIND = `
  SELECT wanted AS service, coalesce(newest.epoch, 1) AS epoch, coalesce(newest.sequence, 0) AS sequence, newest.hash,
    newest.anchored_at AS "anchoredAt", checks.checked_at AS "checkedAt", checks.broken_sequence AS "brokenSequence",
    epochs.begun_by AS "begunBy", epochs.reason, proposals.proposed_by AS "nextEpochProposedBy"
  FROM unnest($1::text[]) AS wanted
  LEFT JOIN LATERAL (SELECT * FROM audit_anchors WHERE service = wanted
    ORDER BY epoch DESC, sequence DESC LIMIT 1) newest ON true
  LEFT JOIN audit_anchors epochs ON epochs.service = wanted AND epochs.epoch = newest.epoch AND epochs.sequence = 0
  LEFT JOIN audit_epoch_proposals proposals ON proposals.service = wanted
    AND proposals.epoch = coalesce(newest.epoch, 1) + 1 AND proposals.proposed_at > now() - interval '1 day'
    AND EXISTS (SELECT FROM operators WHERE operators.id = proposals.proposed_by AND is_active)
  LEFT JOIN audit_anchor_checks checks ON checks.service = wanted`;

/** Of each service, in the order of their names. */
export async function findAnchors(
  db: Queryable,
  services: readonly TimelineService[] = timelineServices,
): Promise<AuditAnchor[]> {
  return db.query<Row>(`${FIND} ORDER BY wanted`, [services]);
}

const ADD = `
  INSERT INTO audit_anchors (service, epoch, sequence, hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`;
const CHECKED = `
  INSERT INTO audit_anchor_checks AS known (service, checked_at, broken_sequence) VALUES ($1, now(), $2)
  ON CONFLICT (service) DO UPDATE SET checked_at = now(), broken_sequence = excluded.broken_sequence`;

/** Keeps where a log has come to. A second replica that has followed it too keeps the same, once. */
export async function keepAnchor(
  tx: Transaction,
  { service, epoch }: AuditAnchor,
  { sequence, hash }: { sequence: number; hash: string },
): Promise<void> {
  await tx.query(ADD, [service, epoch, sequence, hash]);
}

export async function saveAnchorCheck(
  db: Queryable,
  service: TimelineService,
  brokenSequence: number | null,
): Promise<void> {
  await db.query(CHECKED, [service, brokenSequence]);
}

/** Lets one replica, or one operator, at a time decide about the anchors of a service. */
export async function lockAnchors(tx: Transaction, service: TimelineService): Promise<AuditAnchor> {
  await tx.query('SELECT pg_advisory_xact_lock(27, hashtext($1))', [service]);
  const [anchor] = await findAnchors(tx, [service]);
  if (!anchor) throw new Error('each service has a row');
  return anchor;
}

const BEGIN = `
  INSERT INTO audit_anchors (service, epoch, sequence, begun_by, reason, proposed_by) VALUES ($1, $2, 0, $3, $4, $5)`;

export async function beginEpoch(
  tx: Transaction,
  { service, epoch }: Pick<AuditAnchor, 'service' | 'epoch'>,
  { operatorId, reason, proposedBy }: { operatorId: string; reason: string; proposedBy: string | null },
): Promise<void> {
  await tx.query(BEGIN, [service, epoch, operatorId, reason, proposedBy]);
  await tx.query('DELETE FROM audit_anchor_checks WHERE service = $1', [service]);
}

/** Which logs no longer fit what is kept of them, and how long ago each was last followed. */
export async function readAnchorGauges(database: Database): Promise<GaugeSample[]> {
  const now = Date.now();
  return (await findAnchors(database)).flatMap(
    ({ service: of, brokenSequence, checkedAt }): GaugeSample[] => [
      metrics.gauge('plataforma_audit_log_broken', { of }, brokenSequence === null ? 0 : 1),
      ...(checkedAt
        ? [metrics.gauge('plataforma_audit_log_checked_seconds', { of }, (now - checkedAt.getTime()) / 1_000)]
        : []),
    ],
  );
}
