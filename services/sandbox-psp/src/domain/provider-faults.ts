/** How a provider behaves towards one merchant. */
export const providerStates = ['ok', 'slow', 'down', 'unknown'] as const;
/** `held` changes nothing here: the platform holds withdrawals before it orders them. */
export const payoutStates = [...providerStates, 'held'] as const;

export interface ProviderFaults {
  pix: (typeof providerStates)[number];
  card: (typeof providerStates)[number];
  payout: (typeof payoutStates)[number];
  /** When all is ok again by itself; null: all is. */
  until: Date | null;
}

export const NO_FAULTS: ProviderFaults = { pix: 'ok', card: 'ok', payout: 'ok', until: null };

/** The most lost answers of one merchant; the bank answers further calls. */
export const MAX_LOST_ANSWERS = 1_000;
