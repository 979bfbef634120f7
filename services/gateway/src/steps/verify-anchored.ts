import type { AuditVerificationView, TimelineService } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import { findAnchors } from '../store/audit-anchors.ts';

interface From {
  after: string | undefined;
  limit: number;
}

export interface VerifyAnchored {
  database: Database;
  /** Follows a log from a row on, so many rows at most; null: the service did not answer. */
  followAuditLog(service: TimelineService, from: From): Promise<AuditVerificationView | null>;
}

/** So that a service answers in time. */
const ROWS_A_CALL = 10_000;

/**
 * What a service says of its audit log, and whether the row whose hash is kept here is still there: a log that was written
 * anew with all its hashes vouches for itself, whichever rows are asked for.
 */
export async function verifyAnchored(
  parts: VerifyAnchored,
  service: TimelineService,
  from: From,
): Promise<AuditVerificationView> {
  const said = await followAll(parts, service, from);
  const [anchor] = await findAnchors(parts.database, [service]);
  if (!said.isIntact || !anchor?.hash) return said;
  const after = `${anchor.sequence}:${anchor.hash}`;
  const { isIntact, firstBrokenSequence } = await follow(parts, service, { after, limit: 1 });
  return isIntact ? said : { ...said, isIntact, firstBrokenSequence };
}

async function followAll(
  parts: VerifyAnchored,
  service: TimelineService,
  { after, limit }: From,
): Promise<AuditVerificationView> {
  let rows = 0;
  let from = after;
  for (;;) {
    const said = await follow(parts, service, { after: from, limit: Math.min(limit - rows, ROWS_A_CALL) });
    rows += said.rows;
    if (!said.isIntact || said.next === null || rows >= limit) return { ...said, rows };
    from = said.next;
  }
}

async function follow(parts: VerifyAnchored, service: TimelineService, from: From) {
  const said = await parts.followAuditLog(service, from);
  if (said) return said;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', `${service} does not answer; try again`);
}
