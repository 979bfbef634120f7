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

interface CardSettings {
  cardEnabled: boolean;
  maxInstallments: number;
}

/**
 * Returns whether an account accepts cards. Production needs an enabled account; in the sandbox every account
 * may test cards.
 */
export function hasCards(
  { cardEnabled }: Pick<CardSettings, 'cardEnabled'>,
  environment: Environment,
): boolean {
  return environment === 'sandbox' || cardEnabled;
}

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

/**
 * Returns the refusal of a declined card. The reason is one of the platform's own codes, not the acquirer's
 * text.
 */
export function declined(why: string | null): Declined {
  const reason = why ?? 'card_declined';
  return new Declined('CARD_DECLINED', `the card was declined: ${reason}`, reason);
}

/** Hashes a card token, so that the database shows the reuse of a token but not the token itself. */
export function tokenHashOf(cardToken: string): Buffer {
  return createHash('sha256').update(cardToken).digest();
}

export function uselessToken(): Refusal {
  const message = 'cardToken: is unknown, used or expired: tokenize the card again';
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

/**
 * Returns the real time at which the charge was created, which its id contains. In the sandbox, `createdAt`
 * may be ahead of the real time.
 */
export function bornAt({ id, environment, createdAt }: Charge): Date {
  if (environment === 'production') return createdAt;
  const made = timeOfId(id);
  return made < createdAt ? made : createdAt;
}

/** The longest time between the creation of a charge and its order to the acquirer. */
const SENT_WITHIN_MS = 60_000;
/** A time within which every request to the acquirer has arrived or failed. */
const ON_ITS_WAY_MS = 60_000;

/**
 * Throws if it is too late to send the charge's order to the acquirer. Another replica may then have ended
 * the charge, because the acquirer did not know the order.
 */
export function requireInTime(charge: Charge, now: Date): void {
  if (now.getTime() - bornAt(charge).getTime() < SENT_WITHIN_MS) return;
  throw undecided('the acquirer has no record of the payment');
}

/** Returns true when it is too late for an order of this charge to arrive at the acquirer. */
export function isNeverToArrive(charge: Charge, now: Date): boolean {
  return now.getTime() - bornAt(charge).getTime() > SENT_WITHIN_MS + ON_ITS_WAY_MS;
}

const WATCHED_MS = 24 * 3_600_000;

/** Returns true when the platform stops checking for a payment of an ended attempt. */
export function isWatchOver(charge: Charge, now: Date): boolean {
  return now.getTime() - bornAt(charge).getTime() > WATCHED_MS;
}

export function undecided(why: string): Refusal {
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', `${why}; send the same request again`);
}

/**
 * Returns the refund of a whole payment. Its id differs from the payment's id, because the acquirer uses both
 * ids as idempotency keys.
 */
export function voidOf({ id, amount }: { id: string; amount: Cents }, acquirerId: string) {
  return { acquirerId, refundId: `${id}-void`, amount };
}

export interface SettlementSettings {
  settlementDays: number;
  settlementCalendar: 'calendar' | 'banking';
}

/**
 * Returns the time at which the money of a card payment is available. Without settlement days, that is at
 * once; otherwise, at the start of the settlement day in São Paulo.
 */
export function settlementOf(paidAt: Date, { settlementDays, settlementCalendar }: SettlementSettings): Date {
  if (settlementDays === 0) return paidAt;
  const paidOn = dayOf(paidAt, BANK_TIME_ZONE);
  const add = settlementCalendar === 'banking' ? addBankDays : addDays;
  return startOfDay(add(paidOn, settlementDays), BANK_TIME_ZONE);
}
