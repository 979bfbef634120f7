/** The behaviours of a provider towards one merchant. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
/** `held` has no effect here, because the platform stops the withdrawals before it orders a payout. */
export const payoutStates = [...providerStates, 'held'] as const;

export interface ProviderFaults {
  pix: (typeof providerStates)[number];
  card: (typeof providerStates)[number];
  payout: (typeof payoutStates)[number];
  /** The time when all faults end; null without faults. */
  until: Date | null;
}

export const NO_FAULTS: ProviderFaults = { pix: 'ok', card: 'ok', payout: 'ok', until: null };

/** The limit of lost answers for each merchant; the provider answers further calls. */
export const MAX_LOST_ANSWERS = 1_000;
