import { Refusal } from '@plataforma/kernel';

/** The cards charged at a link in the last 15 minutes, by all callers or by one network. */
export interface LinkCards {
  declined: number;
  paid: number;
}

const WINDOW_MS = 15 * 60_000;
/** With this many declines, the link limits each caller separately. */
const MAX_DECLINES = 80;
/** With this many declines, the link refuses all callers whose network has never paid at it. */
const MAX_DECLINES_OF_STRANGERS = 200;
/** The limits do not apply while one card in five is paid, because some declines are normal. */
const DECLINES_A_PAYMENT = 4;

export function windowFrom(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** Returns whether card numbers are being tested at the link, over any number of visits. */
export function areTriedOut(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES);
}

/** Returns whether callers that never paid at the link have used up their shared declines. */
export function isClosedToStrangers(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES_OF_STRANGERS);
}

/** A network of a caller: the bits of the caller's group that it ignores, and its limit of declines. */
interface Network {
  bits: number;
  most: number;
}

/** A buyer whose first card is declined may try two other cards. */
export const OWN_NETWORK: Network = { bits: 0, most: 3 };
/**
 * The /56, then the /48 or the IPv4 /24. Their limits are higher, because carriers have many buyers in one
 * network.
 */
export const WIDER_NETWORKS: readonly Network[] = [
  { bits: 8, most: 9 },
  { bits: 15, most: 27 },
];

/** Returns the /48 or the IPv4 /24 of a caller's group. */
export function widestOf(group: number): number {
  return group >> 15;
}

/** Returns whether a network has reached its limit, so that it may take part in card testing. */
export function hasReachedLimit(ofNetwork: LinkCards, { most }: Network): boolean {
  return isAbove(ofNetwork, most);
}

function isAbove({ declined, paid }: LinkCards, most: number): boolean {
  return declined >= most && declined > paid * DECLINES_A_PAYMENT;
}

export function cardsPaused(): Refusal {
  const message =
    'too many cards were declined at this payment link, also from your network: pay in another way, or try again in 15 minutes';
  return new Refusal('conflict', 'CARDS_PAUSED', message);
}
