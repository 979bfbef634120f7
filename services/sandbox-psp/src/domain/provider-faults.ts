/** The states in which the provider can be for one merchant. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
/**
 * In the state `held` the platform itself stops the merchant's withdrawals and orders no payout. This service
 * therefore treats `held` like `ok`.
 */
export const payoutStates = [...providerStates, 'held'] as const;

export interface ProviderFaults {
  pix: (typeof providerStates)[number];
  card: (typeof providerStates)[number];
  payout: (typeof payoutStates)[number];
  /** The time at which all faults of the merchant end; null if the merchant has no faults. */
  until: Date | null;
}

export const NO_FAULTS: ProviderFaults = { pix: 'ok', card: 'ok', payout: 'ok', until: null };

/**
 * The maximum number of answers that the provider loses for one merchant. After this number the provider
 * answers all calls.
 */
export const MAX_LOST_ANSWERS = 1_000;
