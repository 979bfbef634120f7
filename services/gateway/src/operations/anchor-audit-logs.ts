import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import type { AskChains } from '../chains/ask-chains.ts';
import { findBreak } from '../chains/find-break.ts';
import { followedChains } from '../domain/followed-chain.ts';
import { type AuditAnchor, findAnchors, lockAnchors, saveAnchorCheck } from '../store/audit-anchors.ts';
import { dropEpochProposal } from '../store/audit-epoch-proposals.ts';

export interface AnchorAuditLogs {
  database: Database;
  log: Log;
  chains: AskChains;
}

const EVERY_MS = 3_600_000;

/**
 * Compares and follows each chain that was not checked for an hour. The next run retries a service that did
 * not answer.
 */
export async function anchorAuditLogs(dependencies: AnchorAuditLogs, now: Date): Promise<void> {
  for (const anchor of await findAnchors(dependencies.database, followedChains)) {
    const isDue = !anchor.checkedAt || now.getTime() - anchor.checkedAt.getTime() >= EVERY_MS;
    if (isDue) await followToEnd(dependencies, anchor);
  }
}

/**
 * Compares a chain with the heads that other services store, follows it to its end, and saves the result.
 * Returns false when too many others did not answer, or its own service did not answer to the end.
 */
export async function followToEnd(
  { database, log, chains }: AnchorAuditLogs,
  anchor: AuditAnchor,
): Promise<boolean> {
  const { service, chain, epoch } = anchor;
  // The epoch is sent each time, because a service that was restored since has an older one.
  const begun = await chains.beginEpoch(anchor, epoch);
  const found = await findBreak(chains, anchor, { epoch });
  if (!found || found.next !== null) return false;
  const { anchored } = found;
  const hasMore = found.hasMore || begun?.isBehind === true;
  // Anchors of an epoch that no operator has begun are never compared, so such an epoch counts as a break.
  const isAstray = begun !== null && begun.epoch > epoch;
  const brokenSequence = found.brokenSequence ?? (isAstray ? (anchored?.sequence ?? 0) + 1 : null);
  await database.transaction(async (tx) => {
    const { epoch: current } = await lockAnchors(tx, anchor);
    // An operator has begun another epoch meanwhile.
    if (current !== epoch) return;
    // A proposal for a break that is gone must not count for a later break.
    if (brokenSequence === null) await dropEpochProposal(tx, anchor);
    await saveAnchorCheck(tx, anchor, { brokenSequence, anchored, hasMore });
  });
  const fields = { of: service, chain, firstBrokenSequence: brokenSequence };
  if (brokenSequence !== null) log.error(fields, 'chain differs from its anchors in other services');
  return true;
}
