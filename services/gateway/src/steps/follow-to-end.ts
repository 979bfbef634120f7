import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { type AuditAnchor, lockAnchors, saveAnchorCheck } from '../store/audit-anchors.ts';
import { dropEpochProposal } from '../store/audit-epoch-proposals.ts';
import type { AskChains } from './ask-chains.ts';
import { findBreak } from './find-break.ts';

export interface FollowToEnd {
  database: Database;
  log: Log;
  chains: AskChains;
}

/**
 * Compares a chain with all that others keep of it, follows it from there to its end, and keeps what was found. False: the
 * service, or those others, did not answer.
 */
export async function followToEnd(
  { database, log, chains }: FollowToEnd,
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
    // What was asked for because of a break that is no more counts for none that comes later.
    if (brokenSequence === null) await dropEpochProposal(tx, anchor);
    await saveAnchorCheck(tx, anchor, { brokenSequence, anchored, hasMore });
  });
  const what = { of: service, chain, firstBrokenSequence: brokenSequence };
  if (brokenSequence !== null) log.error(what, 'a chain of hashes is not the one that other services keep');
  return true;
}
