import { followedChains } from '../domain/followed-chain.ts';
import { type FollowToEnd, followToEnd } from '../steps/follow-to-end.ts';
import { findAnchors } from '../store/audit-anchors.ts';

const EVERY_MS = 3_600_000;

/** Compares and follows each chain that was not for an hour. What does not answer is asked again a minute later. */
export async function anchorAuditLogs(parts: FollowToEnd, now: Date): Promise<void> {
  for (const anchor of await findAnchors(parts.database, followedChains)) {
    const isDue = !anchor.checkedAt || now.getTime() - anchor.checkedAt.getTime() >= EVERY_MS;
    if (isDue) await followToEnd(parts, anchor);
  }
}
