import type { ChainVerification } from '@plataforma/contracts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AskChains, type From, rowsACall } from './ask-chains.ts';

interface Way extends From {
  /** By `performance.now()`: after this no more is asked. */
  until: number;
}

/**
 * Follows a chain for `limit` rows, as far as its owner answers in time; `next` says where that was not the end. The first
 * rows are always asked for. Null: nothing was answered.
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
