import type { ChainVerification } from '@plataforma/contracts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AskChains, type From, rowsACall } from './ask-chains.ts';

interface Way extends From {
  /** A time of `performance.now()`, after which no further call starts. */
  until: number;
}

/**
 * Verifies at most `limit` rows of a chain after `after`. Stops at `until`, or when the chain's service does
 * not answer. `next` is set if more rows follow. Returns null if the first call gets no answer.
 */
export async function followChain(
  chains: AskChains,
  of: FollowedChain,
  { after, limit, until }: Way,
): Promise<ChainVerification | null> {
  let answered: ChainVerification | null = null;
  let rows = 0;
  let from = after;
  for (;;) {
    const said = await chains.verify(of, { after: from, limit: Math.min(limit - rows, rowsACall(of)) });
    if (!said) return answered;
    rows += said.rows;
    answered = { ...said, rows };
    if (!said.isIntact || said.next === null || rows >= limit || performance.now() >= until) return answered;
    from = said.next;
  }
}
