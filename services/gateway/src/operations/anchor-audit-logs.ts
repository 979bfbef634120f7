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

/** Compares and follows each chain that was not checked for an hour. A service that does not answer is retried. */
export async function anchorAuditLogs(dependencies: AnchorAuditLogs, now: Date): Promise<void> {
  for (const anchor of await findAnchors(dependencies.database, followedChains)) {
    const isDue = !anchor.checkedAt || now.getTime() - anchor.checkedAt.getTime() >= EVERY_MS;
    if (isDue) await followToEnd(dependencies, anchor);
  }
}

/**
 * Compares a chain with the heads that other services keep, follows it from there to its end, and saves the result.
 * False: its service, or too many of the others, did not answer.
 */
export async function followToEnd(
  { database, log, chains }: AnchorAuditLogs,
  anchor: AuditAnchor,
): Promise<boolean> {
  const { service, chain, epoch } = anchor;
  // A service that was restored since has forgotten it.
  const begun = await chains.beginEpoch(anchor, epoch);
  const found = await findBreak(chains, anchor, { epoch });
  if (!found || found.next !== null) return false;
  const { anchored } = found;
  const hasMore = found.hasMore || begun?.isBehind === true;
  // In an epoch that no operator has begun nothing that it announces is compared.
  const isAstray = begun !== null && begun.epoch > epoch;
  const brokenSequence = found.brokenSequence ?? (isAstray ? (anchored?.sequence ?? 0) + 1 : null);
  await database.transaction(async (tx) => {
    const { epoch: current } = await lockAnchors(tx, anchor);
    // An operator has begun another one since.
    if (current !== epoch) return;
    // A proposal for a break that is gone does not count for a later one.
    if (brokenSequence === null) await dropEpochProposal(tx, anchor);
    await saveAnchorCheck(tx, anchor, { brokenSequence, anchored, hasMore });
  });
  const fields = { of: service, chain, firstBrokenSequence: brokenSequence };
  if (brokenSequence !== null) log.error(fields, 'a chain of hashes is not the one that other services keep');
  return true;
}
