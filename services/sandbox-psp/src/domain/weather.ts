/** How a provider behaves towards one merchant. */
export const weathers = ['ok', 'slow', 'down', 'unknown'] as const;
/** `held` changes nothing here: the platform holds withdrawals before it orders them. */
export const payoutWeathers = [...weathers, 'held'] as const;

export interface Weather {
  pix: (typeof weathers)[number];
  card: (typeof weathers)[number];
  payout: (typeof payoutWeathers)[number];
  /** When all is ok again by itself; null: all is. */
  until: Date | null;
}

export const FAIR: Weather = { pix: 'ok', card: 'ok', payout: 'ok', until: null };

/** Of one merchant: further ones are answered. */
export const MAX_LOST_ANSWERS = 1_000;
