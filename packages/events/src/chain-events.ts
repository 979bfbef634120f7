import { z } from 'zod';

/** audit: the operators' actions in each service. journal: the ledger's books. */
export const chains = ['audit', 'journal'] as const;

/**
 * The head of a hash chain at a moment. A copy outside of the producer's database reveals a rewritten chain.
 */
const anchored = z.object({
  chain: z.enum(chains),
  /** 1, 2, 3 …: operators start the next epoch after a restore. */
  epoch: z.int().positive(),
  sequence: z.int().positive(),
  /** SHA-256, in hexadecimal digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});

/**
 * Emitted by each service under its own type, and stored by every other service. They concern no merchant.
 */
export const chainEvents = {
  'chain.anchored.gateway': anchored,
  'chain.anchored.charges': anchored,
  'chain.anchored.withdrawals': anchored,
  'chain.anchored.ledger': anchored,
  'chain.anchored.webhooks': anchored,
};

export type AnchorType = keyof typeof chainEvents;

export const anchorTypes = Object.keys(chainEvents).filter(isAnchorType);

export function isAnchorType(type: string): type is AnchorType {
  return Object.hasOwn(chainEvents, type);
}
