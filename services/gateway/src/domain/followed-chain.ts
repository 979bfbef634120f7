/**
 * The services with a chain of hashes. Each service also stores the newest hashes of the other services'
 * chains.
 */
export const chainServices = ['gateway', 'charges', 'withdrawals', 'ledger', 'webhooks'] as const;

export type ChainService = (typeof chainServices)[number];

/**
 * A chain of hashes that one service computes. The other services store the newest hash of the chain each
 * hour.
 */
export interface FollowedChain {
  service: ChainService;
  chain: 'audit' | 'journal';
}

export const journal: FollowedChain = { service: 'ledger', chain: 'journal' };

export const followedChains: readonly FollowedChain[] = [
  ...chainServices.map((service) => ({ service, chain: 'audit' }) as const),
  journal,
];

export function isFollowed(of: FollowedChain): boolean {
  return followedChains.some((one) => nameOf(one) === nameOf(of));
}

/** Returns the name of a chain in the gateway's tables. */
export function nameOf({ service, chain }: FollowedChain): string {
  return chain === 'audit' ? service : `${service} ${chain}`;
}
