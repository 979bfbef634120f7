import type { ChainVerification } from '@plataforma/contracts';
import type { AnchorPage, Head } from '@plataforma/tables';
import type { ChainService, FollowedChain } from '../domain/followed-chain.ts';

export interface From {
  after: string | undefined;
  limit: number;
}

/**
 * Calls the services that own chains of hashes, and the services that store hashes of these chains. Each
 * method returns null if the called service did not answer.
 */
export interface AskChains {
  verify(of: FollowedChain, from: From): Promise<ChainVerification | null>;
  headsAt(of: FollowedChain, sequences: readonly number[]): Promise<Head[] | null>;
  /**
   * Sends the current epoch to the owner of the chain. Returns the later of this epoch and the owner's epoch.
   * `isBehind` is true while rows of the owner are not in the chain yet.
   */
  beginEpoch(of: FollowedChain, epoch: number): Promise<{ epoch: number; isBehind: boolean } | null>;
  listAnchors(
    keeper: ChainService,
    of: FollowedChain,
    from: { epoch: number; after: string | undefined },
  ): Promise<AnchorPage | null>;
}

/**
 * The number of rows that one call verifies. For the journal it is one, because one row covers all wallets
 * that moved in an hour.
 */
export const rowsACall = ({ chain }: FollowedChain): number => (chain === 'journal' ? 1 : 10_000);
