import type { AuditVerificationView, TimelineService } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { type AuditAnchor, keepAnchor, lockAnchors, saveAnchorCheck } from '../store/audit-anchors.ts';
import { dropEpochProposal } from '../store/audit-epoch-proposals.ts';

type FollowAuditLog = (
  service: TimelineService,
  from: { after: string | undefined; limit: number },
) => Promise<AuditVerificationView | null>;

export interface FollowToEnd {
  database: Database;
  log: Log;
  /** Follows a log from a row on, so many rows at most; null: the service did not answer. */
  followAuditLog: FollowAuditLog;
}

const ROWS_A_CALL = 10_000;

/**
 * Follows an audit log from the row whose hash is kept here to its end, and keeps what was found. False: the service did
 * not answer.
 */
export async function followToEnd(
  { database, log, followAuditLog }: FollowToEnd,
  anchor: AuditAnchor,
): Promise<boolean> {
  const end = await follow(followAuditLog, anchor);
  if (!end) return false;
  const { service, epoch } = anchor;
  await database.transaction(async (tx) => {
    const { epoch: current } = await lockAnchors(tx, service);
    // An operator has begun another one since.
    if (current !== epoch) return;
    const [sequence = '', hash] = end.last?.split(':') ?? [];
    // What was asked for because of a break that is no more counts for none that comes later.
    if (end.isIntact) await dropEpochProposal(tx, service);
    if (end.isIntact && hash) await keepAnchor(tx, anchor, { sequence: Number(sequence), hash });
    await saveAnchorCheck(tx, service, end.isIntact ? null : (end.firstBrokenSequence ?? anchor.sequence));
  });
  const what = { of: service, firstBrokenSequence: end.firstBrokenSequence };
  if (!end.isIntact) log.error(what, 'an audit log is not the one whose hash is kept');
  return true;
}

/** Null: the service did not answer. */
async function follow(
  followAuditLog: FollowAuditLog,
  { service, sequence, hash }: AuditAnchor,
): Promise<AuditVerificationView | null> {
  let after = hash === null ? undefined : `${sequence}:${hash}`;
  for (;;) {
    const said = await followAuditLog(service, { after, limit: ROWS_A_CALL });
    if (!said?.isIntact || said.next === null) return said;
    after = said.next;
  }
}
