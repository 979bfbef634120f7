import { createHash } from 'node:crypto';
import {
  addBankDays,
  addDays,
  BANK_TIME_ZONE,
  type Cents,
  Declined,
  dayOf,
  type Environment,
  Refusal,
  startOfDay,
  timeOfId,
} from '@plataforma/kernel';
import type { Charge } from './charge.ts';

/** The card settings of a merchant. */
interface CardSettings {
  cardEnabled: boolean;
  maxInstallments: number;
}

/** In production an account has cards when it was enabled for them; in the sandbox everybody tries them. */
export function hasCards(
  { cardEnabled }: Pick<CardSettings, 'cardEnabled'>,
  environment: Environment,
): boolean {
  return environment === 'sandbox' || cardEnabled;
}

/** Refuses a card charge that the account does not allow. */
export function requireCardAllowed(
  settings: CardSettings,
  environment: Environment,
  installments: number,
): void {
  if (!hasCards(settings, environment)) {
    throw new Refusal('forbidden', 'CARD_NOT_ENABLED', 'the account is not enabled for card charges');
  }
  const { maxInstallments } = settings;
  if (installments > maxInstallments) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `installments: must be at most ${maxInstallments}`);
  }
}

/** The refusal a declined card reads; the reason is one of ours, whatever the acquirer calls it. */
export function declined(why: string | null): Declined {
  const reason = why ?? 'card_declined';
  return new Declined('CARD_DECLINED', `the card was declined: ${reason}`, reason);
}

/** Hashes a token, because a token works once and must not be readable afterwards. */
export function tokenHashOf(cardToken: string): Buffer {
  return createHash('sha256').update(cardToken).digest();
}

/** The refusal of a token with which no card can be charged any more. */
export function uselessToken(): Refusal {
  const message = 'cardToken: is unknown, used or expired: tokenize the card again';
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

/** The real time when it was stored, from its id; its createdAt may be ahead in the sandbox. */
export function bornAt({ id, environment, createdAt }: Charge): Date {
  if (environment === 'production') return createdAt;
  const made = timeOfId(id);
  return made < createdAt ? made : createdAt;
}

/** A charge may be sent to the acquirer until so long after it was stored. */
const SENT_WITHIN_MS = 60_000;
/** Longer than a request to the acquirer can be on its way. */
const ON_ITS_WAY_MS = 60_000;

/** Refuses once it is too late: a replica may have found already that the acquirer does not know the charge. */
export function requireInTime(charge: Charge, now: Date): void {
  if (now.getTime() - bornAt(charge).getTime() < SENT_WITHIN_MS) return;
  throw undecided('the acquirer does not know of the payment');
}

/** A charge the acquirer does not know by now will never reach it. */
export function isNeverToArrive(charge: Charge, now: Date): boolean {
  return now.getTime() - bornAt(charge).getTime() > SENT_WITHIN_MS + ON_ITS_WAY_MS;
}

const WATCHED_MS = 24 * 3_600_000;

/** Whether a payment for an attempt that has ended is not to be expected any more. */
export function isWatchOver(charge: Charge, now: Date): boolean {
  return now.getTime() - bornAt(charge).getTime() > WATCHED_MS;
}

/** The refusal while the outcome of the payment is unknown. */
export function undecided(why: string): Refusal {
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', `${why}; send the same request again`);
}

/** How all of a payment is given back. Its name differs from the payment's own: the acquirer keeps both. */
export function voidOf({ id, amount }: { id: string; amount: Cents }, acquirerId: string) {
  return { acquirerId, refundId: `${id}-void`, amount };
}

export interface SettlementSettings {
  settlementDays: number;
  settlementCalendar: 'calendar' | 'banking';
}

/** When a card payment is available: D+0 at once, D+n as that day of São Paulo begins. */
export function settlementOf(paidAt: Date, { settlementDays, settlementCalendar }: SettlementSettings): Date {
  if (settlementDays === 0) return paidAt;
  const paidOn = dayOf(paidAt, BANK_TIME_ZONE);
  const add = settlementCalendar === 'banking' ? addBankDays : addDays;
  return startOfDay(add(paidOn, settlementDays), BANK_TIME_ZONE);
}
