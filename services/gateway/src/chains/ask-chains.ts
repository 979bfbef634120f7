import type { ChainVerification } from '@plataforma/contracts';
import type { AnchorPage, Head } from '@plataforma/tables';
import type { ChainService, FollowedChain } from '../domain/followed-chain.ts';

export interface From {
  after: string | undefined;
  limit: number;
}

/** Asks the owners of chains, and the services that keep their heads; null: there was no answer. */
export interface AskChains {
  verify(of: FollowedChain, from: From): Promise<ChainVerification | null>;
  headsAt(of: FollowedChain, sequences: readonly number[]): Promise<Head[] | null>;
  /** Answers the epoch in which it announces, which counts up only, and whether something is in none of its places yet. */
  beginEpoch(of: FollowedChain, epoch: number): Promise<{ epoch: number; isBehind: boolean } | null>;
  listAnchors(
    keeper: ChainService,
    of: FollowedChain,
    from: { epoch: number; after: string | undefined },
  ): Promise<AnchorPage | null>;
}

/** So that a service answers in time: a head of the journal speaks of as many wallets as have moved in an hour. */
export const rowsACall = ({ chain }: FollowedChain): number => (chain === 'journal' ? 1 : 10_000);
