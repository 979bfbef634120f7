import { Refusal } from '@plataforma/kernel';

/** Of the latest cards at a link. */
export interface LinkCards {
  declined: number;
  paid: number;
}

const WINDOW_MS = 15 * 60_000;
/**
 * More than two addresses are declined in that time, wherever the windows of their own limit begin
 * (`declinesPerAddress`, which ends first), so that no few of them end the cards of a link for others.
 */
const MAX_DECLINES = 80;
/** Where one card in five is paid, buyers are declined now and then. */
const DECLINES_A_PAYMENT = 4;

export function windowFrom(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS);
}

/** Whether numbers of cards are tried out at the link, over however many visits. */
export function areTriedOut({ declined, paid }: LinkCards): boolean {
  return declined >= MAX_DECLINES && declined > paid * DECLINES_A_PAYMENT;
}

export function cardsPaused(): Refusal {
  const message =
    'too many cards were declined at this payment link: pay in another way, or try again in 15 minutes';
  return new Refusal('conflict', 'CARDS_PAUSED', message);
}
