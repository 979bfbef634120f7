import { chainVerification } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { anchorPage, auditLogChain, beginChainEpoch, findAnchorPage } from '@plataforma/tables';
import { z } from 'zod';
import type { AskChains } from '../chains/ask-chains.ts';
import type { FollowedChain } from '../domain/followed-chain.ts';
import { type AskService, queryOf } from './ask-service.ts';

const heads = z.array(z.object({ sequence: z.int(), hash: z.string() }));
const begun = z.object({ epoch: z.int(), isBehind: z.boolean().default(false) });

interface ChainDependencies {
  database: Database;
  askService: AskService;
  /**
   * A function like `askService` with a longer timeout, because one row of the journal may cover all wallets.
   */
  askLongRunning: AskService;
}

/**
 * Creates an `AskChains`. It reads the gateway's own chain, and the hashes that the gateway stores, from the
 * database. For other chains and hashes it calls their services.
 */
export function createAskChains({ database, askService, askLongRunning }: ChainDependencies): AskChains {
  const askerOf = ({ chain }: FollowedChain) => (chain === 'journal' ? askLongRunning : askService);
  const pathOf = ({ chain }: FollowedChain) => `/internal/chains/${chain}`;
  return {
    async verify(of, from) {
      if (of.service === 'gateway') return auditLogChain.verify(database, from);
      const path = `${pathOf(of)}/verify?${queryOf({ ...from })}`;
      return askerOf(of)(of.service, { path, answer: chainVerification });
    },
    async headsAt(of, sequences) {
      if (of.service === 'gateway') return auditLogChain.headsAt(database, sequences);
      const path = `${pathOf(of)}/heads?${queryOf({ at: sequences.join() })}`;
      return askService(of.service, { path, answer: heads });
    },
    async beginEpoch(of, epoch) {
      if (of.service === 'gateway')
        return { epoch: await beginChainEpoch(database, of.chain, epoch), isBehind: false };
      return askerOf(of)(of.service, { path: `${pathOf(of)}/epoch`, answer: begun, body: { epoch } });
    },
    async listAnchors(keeper, { service, chain }, from) {
      const query = { service, chain, ...from };
      if (keeper === 'gateway') return findAnchorPage(database, query);
      return askService(keeper, { path: `/internal/chain-anchors?${queryOf(query)}`, answer: anchorPage });
    },
  };
}
