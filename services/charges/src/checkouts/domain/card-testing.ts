import { Refusal } from '@plataforma/kernel';

/** Cards of the last 15 minutes at a link: all of them, or those of one caller. */
export interface LinkCards {
  declined: number;
  paid: number;
}

const WINDOW_MS = 15 * 60_000;
/** From so many declines on a link counts each caller for itself. */
const MAX_DECLINES = 80;
/** From so many, all callers that never paid at the link before are refused: they share these declines. */
const MAX_DECLINES_OF_STRANGERS = 200;
/** Where one card in five is paid, buyers are declined now and then. */
const DECLINES_A_PAYMENT = 4;

export function windowFrom(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** Whether numbers of cards are tried out at the link, over however many visits. */
export function areTriedOut(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES);
}

/** Whether callers that never paid at the link have used their common declines up. */
export function isClosedToStrangers(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES_OF_STRANGERS);
}

/** The networks of a caller, the own one first: how many bits of its group they leave out, and their declines. */
interface Network {
  bits: number;
  most: number;
}

/** A buyer whose first card is declined may try two others. */
export const OWN_NETWORK: Network = { bits: 0, most: 3 };
/** The /56, then the /48 or the /24 of IPv4. Carriers have many buyers in one, and where one in five is paid no limit. */
export const WIDER_NETWORKS: readonly Network[] = [
  { bits: 8, most: 9 },
  { bits: 15, most: 27 },
];

/** Returns the /48 or the /24 of a caller's group. */
export function widestOf(group: number): number {
  return group >> 15;
}

/** Whether a network may have taken part where cards are tried out. Those below their limit go on paying. */
export function isSuspect(ofNetwork: LinkCards, { most }: Network): boolean {
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
