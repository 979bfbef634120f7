import type { FollowedChain } from '../domain/followed-chain.ts';
import type { AskChains } from './ask-chains.ts';
import { type Compared, compareAnchors } from './compare-anchors.ts';
import { followChain } from './follow-chain.ts';

interface FoundInChain extends Compared {
  /** Whether rows are there beyond what is anchored; false as well of a chain that is broken. */
  hasMore: boolean;
  /** Where its owner's answers, or the time for them, have ended; null: at the chain's end, or at a break. */
  next: string | null;
}

/**
 * Compares a chain with all that others keep of it, and follows it from there to its end; one that contradicts them is
 * followed no further, and no chain for longer than `until`. Null: the service, or those others, did not answer.
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
