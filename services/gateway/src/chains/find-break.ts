import type { FollowedChain } from '../domain/followed-chain.ts';
import type { AskChains } from './ask-chains.ts';
import { type Compared, compareAnchors } from './compare-anchors.ts';
import { followChain } from './follow-chain.ts';

interface FoundInChain extends Compared {
  /** Whether the chain has rows beyond its last anchor; false for a broken chain too. */
  hasMore: boolean;
  /** The cursor at which the answers or the time ended; null: the chain's end or a break was reached. */
  next: string | null;
}

/**
 * Compares a chain with its anchors in other services, then follows it to its end or until `until`. A chain
 * that contradicts them is not followed. Null: its service, or too many others, did not answer.
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
