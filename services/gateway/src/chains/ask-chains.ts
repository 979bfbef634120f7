import type { ChainVerification } from '@plataforma/contracts';
import type { AnchorPage, Head } from '@plataforma/tables';
import type { ChainService, FollowedChain } from '../domain/followed-chain.ts';

export interface From {
  after: string | undefined;
  limit: number;
}

/** Queries the owners of chains and the services that store their heads. Null: the service did not answer. */
export interface AskChains {
  verify(of: FollowedChain, from: From): Promise<ChainVerification | null>;
  headsAt(of: FollowedChain, sequences: readonly number[]): Promise<Head[] | null>;
  /**
   * Returns the chain's epoch, which only increases, and whether some rows have no place in the chain yet.
   */
  beginEpoch(of: FollowedChain, epoch: number): Promise<{ epoch: number; isBehind: boolean } | null>;
  listAnchors(
    keeper: ChainService,
    of: FollowedChain,
    from: { epoch: number; after: string | undefined },
  ): Promise<AnchorPage | null>;
}

/**
 * The rows that one call verifies. A head of the journal covers all wallets that moved in an hour, so one
 * head fills a call.
 */
export const rowsACall = ({ chain }: FollowedChain): number => (chain === 'journal' ? 1 : 10_000);
