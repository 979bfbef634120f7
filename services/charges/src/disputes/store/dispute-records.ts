import type { Queryable } from '@plataforma/data';
import { TIMELINE_LIMIT } from '@plataforma/tables';
import type { Dispute } from '../domain/dispute.ts';
import { DISPUTE_COLUMNS, type DisputeRow, disputeOf } from './disputes.ts';

/** How far the evidence of a dispute has been sent to the provider. */
interface Progress {
  isForwarded: boolean;
  attempts: number;
  fileCount: number;
}

export type DisputeRecord = Dispute & Progress;

const NEWEST = `
  SELECT ${DISPUTE_COLUMNS.join(', ')}, attempts, forward_at IS NULL AS "isForwarded",
    (SELECT count(*) FROM dispute_files WHERE dispute_id = disputes.id) AS "fileCount"
  FROM disputes WHERE charge_id = $1
  ORDER BY created_at DESC LIMIT $2`;

/** Reads the records of a charge's disputes, newest first. */
export async function readDisputeRecords(db: Queryable, chargeId: string): Promise<DisputeRecord[]> {
  const rows = await db.queryUnprepared<DisputeRow & Progress>(NEWEST, [chargeId, TIMELINE_LIMIT]);
  return rows.map(disputeOf);
}
