import type { ChainVerification } from '@plataforma/contracts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AskChains, rowsACall } from './ask-chains.ts';
import { type Compared, compareKept } from './compare-kept.ts';

interface FoundInChain extends Compared {
  /** Whether rows are there beyond what is anchored; false as well of a chain that is broken. */
  hasMore: boolean;
}

/**
 * Compares a chain with all that others keep of it, and follows it from there to its end; one that contradicts them is
 * followed no further. Null: the service, or those others, did not answer.
 */
export async function findBreak(
  chains: AskChains,
  of: FollowedChain,
  epoch: number,
): Promise<FoundInChain | null> {
  const compared = await compareKept(chains, of, epoch);
  if (!compared) return null;
  const { from, brokenSequence, anchored } = compared;
  if (brokenSequence !== null) return { ...compared, hasMore: false };
  const end = await follow(chains, of, from ? `${from.sequence}:${from.hash}` : undefined);
  if (!end) return null;
  const hasMore = end.isIntact && sequenceOf(end.last) > (anchored?.sequence ?? 0);
  return { ...compared, brokenSequence: end.firstBrokenSequence, hasMore };
}

const sequenceOf = (place: string | null) => Number(place?.split(':')[0] ?? 0);

/** Null: the service did not answer. */
async function follow(
  chains: AskChains,
  of: FollowedChain,
  from: string | undefined,
): Promise<ChainVerification | null> {
  let after = from;
  for (;;) {
    const said = await chains.verify(of, { after, limit: rowsACall(of) });
    if (!said?.isIntact || said.next === null) return said;
    after = said.next;
  }
}
