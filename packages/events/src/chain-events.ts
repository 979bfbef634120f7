import { z } from 'zod';

/**
 * `audit`: the chain of operators' actions, one in each service. `journal`: the chain of the ledger's
 * entries.
 */
export const chains = ['audit', 'journal'] as const;

/**
 * The newest hash of a hash chain at a moment. Copies outside the producer's database reveal whether the
 * chain was rewritten later.
 */
const anchored = z.object({
  chain: z.enum(chains),
  /**
   * The number of the epoch, from 1. Operators start the next epoch after they restore a database from a
   * backup.
   */
  epoch: z.int().positive(),
  sequence: z.int().positive(),
  /** SHA-256, in hexadecimal digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});

/**
 * Anchors of hash chains. Each service emits its anchors under its own type, and every other service stores
 * them. Anchors concern no merchant.
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
