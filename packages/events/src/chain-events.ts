import { z } from 'zod';

/** audit: what operators did, of each service. journal: the ledger's books. */
export const chains = ['audit', 'journal'] as const;

/** Where a chain of hashes came to at a moment; whoever keeps it outside of that database finds a chain written anew. */
const anchored = z.object({
  chain: z.enum(chains),
  /** 1, 2, 3 …: operators begin the next one after a restore. */
  epoch: z.int().positive(),
  sequence: z.int().positive(),
  /** SHA-256, in hexadecimal digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});

/** Emitted by each service, one type each, and kept by every other one. They concern no merchant. */
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
