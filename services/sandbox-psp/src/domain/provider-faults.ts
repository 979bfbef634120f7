/** The states in which the provider can be for one merchant. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
/**
 * The platform itself applies `held`: it stops the merchant's withdrawals before it orders a payout. This
 * service treats `held` like `ok`.
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
 * The largest number of calls of one merchant whose answers are lost. After that the provider answers all
 * calls.
 */
export const MAX_LOST_ANSWERS = 1_000;
