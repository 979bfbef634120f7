import { type Queryable, TIMELINE_LIMIT } from '@plataforma/data';
import type { Dispute } from '../domain/dispute.ts';
import { DISPUTE_COLUMNS, type DisputeRow, disputeOf } from './disputes.ts';

/** A dispute, and how far its evidence has come on the way to the provider. */
export interface DisputeRecord extends Dispute {
  isForwarded: boolean;
  attempts: number;
  fileCount: number;
}

const NEWEST = `
  SELECT ${DISPUTE_COLUMNS.join(', ')}, attempts, forward_at,
    (SELECT count(*) FROM dispute_files WHERE dispute_id = disputes.id) AS file_count
  FROM disputes WHERE charge_id = $1
  ORDER BY created_at DESC LIMIT $2`;

interface RecordRow extends DisputeRow {
  attempts: number;
  forward_at: Date | null;
  file_count: number;
}

/** What is on record of a charge's disputes, newest first. */
export async function readDisputeRecords(db: Queryable, chargeId: string): Promise<DisputeRecord[]> {
  const rows = await db.queryUnprepared<RecordRow>(NEWEST, [chargeId, TIMELINE_LIMIT]);
  return rows.map((row) => ({
    ...disputeOf(row),
    isForwarded: row.forward_at === null,
    attempts: row.attempts,
    fileCount: row.file_count,
  }));
}
