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
 * Checks each chain that has not been checked for an hour. If a service did not answer, the next run checks
 * its chain again.
 */
export async function anchorAuditLogs(dependencies: AnchorAuditLogs, now: Date): Promise<void> {
  for (const anchor of await findAnchors(dependencies.database, followedChains)) {
    const isDue = !anchor.checkedAt || now.getTime() - anchor.checkedAt.getTime() >= EVERY_MS;
    if (isDue) await followToEnd(dependencies, anchor);
  }
}

/**
 * Compares a chain with the hashes that other services store, follows the chain to its end, and saves the
 * result. Returns false if the chain's service, or too many other services, did not answer.
 */
export async function followToEnd(
  { database, log, chains }: AnchorAuditLogs,
  anchor: AuditAnchor,
): Promise<boolean> {
  const { service, chain, epoch } = anchor;
  // Each check sends the epoch to the owner of the chain, because a restore may have returned the owner's
  // database to an older epoch.
  const begun = await chains.beginEpoch(anchor, epoch);
  const found = await findBreak(chains, anchor, { epoch });
  if (!found || found.next !== null) return false;
  const { anchored } = found;
  const hasMore = found.hasMore || begun?.isBehind === true;
  // If the owner has a later epoch, which no operator has begun, the chain counts as broken. Anchors of that
  // epoch are never compared.
  const isAstray = begun !== null && begun.epoch > epoch;
  const brokenSequence = found.brokenSequence ?? (isAstray ? (anchored?.sequence ?? 0) + 1 : null);
  await database.transaction(async (tx) => {
    const { epoch: current } = await lockAnchors(tx, anchor);
    // Do not save the result if operators began a new epoch of the chain during the check, because the result
    // is about the old epoch.
    if (current !== epoch) return;
    // If the chain matches its anchors again, the proposal of a new epoch is deleted. The proposal must not
    // count when the chain differs from its anchors later.
    if (brokenSequence === null) await dropEpochProposal(tx, anchor);
    await saveAnchorCheck(tx, anchor, { brokenSequence, anchored, hasMore });
  });
  const fields = { of: service, chain, firstBrokenSequence: brokenSequence };
  if (brokenSequence !== null) log.error(fields, 'chain differs from its anchors in other services');
  return true;
}
