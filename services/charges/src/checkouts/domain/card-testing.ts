import { Refusal } from '@plataforma/kernel';

/** Cards of the last 15 minutes at a link: all of them, or those of one caller. */
export interface LinkCards {
  declined: number;
  paid: number;
}

const WINDOW_MS = 15 * 60_000;
/** From so many declines on a link counts each caller for itself. */
const MAX_DECLINES = 80;
/** A caller's own limit then; a buyer whose first card is declined may try two others. */
const MAX_DECLINES_OF_CALLER = 3;
/** Where one card in five is paid, buyers are declined now and then. */
const DECLINES_A_PAYMENT = 4;

export function windowFrom(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** Whether numbers of cards are tried out at the link, over however many visits. */
export function areTriedOut(cards: LinkCards): boolean {
  return isAbove(cards, MAX_DECLINES);
}

/** Whether a caller of such a link may have taken part. Those below their own limit go on paying. */
export function isSuspect(ofCaller: LinkCards): boolean {
  return isAbove(ofCaller, MAX_DECLINES_OF_CALLER);
}

function isAbove({ declined, paid }: LinkCards, most: number): boolean {
  return declined >= most && declined > paid * DECLINES_A_PAYMENT;
}

export function cardsPaused(): Refusal {
  const message =
    'too many cards were declined at this payment link, also from your network: pay in another way, or try again in 15 minutes';
  return new Refusal('conflict', 'CARDS_PAUSED', message);
}
