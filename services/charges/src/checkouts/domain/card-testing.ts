import { Refusal } from '@plataforma/kernel';

/** The numbers of cards at a link in the last 15 minutes, for all callers or for one IP network. */
export interface LinkCards {
  declined: number;
  paid: number;
}

const WINDOW_MS = 15 * 60_000;
/** From this many declines on, the link limits the declined cards of each caller. */
const MAX_DECLINES = 80;
/**
 * From this many declines on, the link refuses the cards of all callers whose network has never paid at the
 * link.
 */
const MAX_DECLINES_OF_STRANGERS = 200;
/**
 * The number of declined cards that is allowed for each paid card. While at least one card in five is paid,
 * no limit of declines applies.
 */
const DECLINES_A_PAYMENT = 4;

export function windowFrom(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** Returns whether card numbers are probably being tested at the link, in one visit or in many. */
export function areTriedOut(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES);
}

/**
 * Returns whether the link has so many declined cards that it refuses callers whose network has never paid at
 * the link.
 */
export function isClosedToStrangers(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES_OF_STRANGERS);
}

/**
 * A network that contains the caller, and its limit of declines. `bits` is the number of low bits to ignore
 * in the caller's network number.
 */
interface Network {
  bits: number;
  most: number;
}

/** The caller's own network: a buyer whose first card is declined may try two other cards. */
export const OWN_NETWORK: Network = { bits: 0, most: 3 };
/**
 * The caller's wider networks: the IPv6 /56, then the IPv6 /48 or the IPv4 /24. They have higher limits,
 * because many buyers of a mobile carrier share a wide network.
 */
export const WIDER_NETWORKS: readonly Network[] = [
  { bits: 8, most: 9 },
  { bits: 15, most: 27 },
];

/** Returns the number of a caller's widest network: the /48 or, for IPv4, the /24. */
export function widestOf(group: number): number {
  return group >> 15;
}

/**
 * Returns whether too many cards were declined for callers in this IP network. These callers may be testing
 * card numbers.
 */
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
