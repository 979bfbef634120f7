import type { FollowedChain } from '../domain/followed-chain.ts';
import type { AskChains } from './ask-chains.ts';
import { type Compared, compareAnchors } from './compare-anchors.ts';
import { followChain } from './follow-chain.ts';

interface FoundInChain extends Compared {
  /** Whether the chain has rows after its last anchor. False if the chain is broken. */
  hasMore: boolean;
  /**
   * The cursor from which to continue, if the service with the chain stopped answering or `until` passed.
   * Null if the check reached the end of the chain or a break.
   */
  next: string | null;
}

/**
 * Compares a chain with the hashes that other services store. If all match, verifies the later rows until the
 * time `until`. Returns null if the chain's owner or too many other services did not answer.
 */
export async function findBreak(
  chains: AskChains,
  of: FollowedChain,
  { epoch, until = Number.POSITIVE_INFINITY }: { epoch: number; until?: number },
): Promise<FoundInChain | null> {
  const compared = await compareAnchors(chains, of, epoch);
  if (!compared) return null;
  const { from, brokenSequence, anchored } = compared;
  if (brokenSequence !== null) return { ...compared, hasMore: false, next: null };
  const after = from ? `${from.sequence}:${from.hash}` : undefined;
  const end = await followChain(chains, of, { after, limit: Number.POSITIVE_INFINITY, until });
  if (!end) return null;
  const hasMore = end.isIntact && sequenceOf(end.last) > (anchored?.sequence ?? 0);
  const next = end.isIntact ? end.next : null;
  return { ...compared, brokenSequence: end.firstBrokenSequence, hasMore, next };
}

const sequenceOf = (cursor: string | null) => Number(cursor?.split(':')[0] ?? 0);
