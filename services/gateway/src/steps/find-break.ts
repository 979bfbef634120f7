import type { ChainVerification } from '@plataforma/contracts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AskChains, rowsACall } from './ask-chains.ts';
import { type Compared, compareKept } from './compare-kept.ts';

/**
 * Compares a chain with all that others keep of it, and follows it from there to its end. Null: the service, or those
 * others, did not answer.
 */
export async function findBreak(
  chains: AskChains,
  of: FollowedChain,
  epoch: number,
): Promise<Compared | null> {
  const compared = await compareKept(chains, of, epoch);
  if (!compared) return null;
  const { from, brokenSequence } = compared;
  const end = await follow(chains, of, from ? `${from.sequence}:${from.hash}` : undefined);
  return end && { ...compared, brokenSequence: brokenSequence ?? end.firstBrokenSequence };
}

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
