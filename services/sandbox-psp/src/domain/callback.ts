import { demandNext, type Table } from '@plataforma/kernel';
import type { CardCharge } from './card-charge.ts';
import { newCardApiId } from './card-token.ts';
import { cardChargeOf } from './card-view.ts';
import type { Client } from './client.ts';
import type { Infraction } from './infraction.ts';
import { type Payment, pixOf } from './payment.ts';
import { type Payout, toldPayoutOf } from './payout.ts';

/** What a receiver is to hear of. */
export type NewsKind = 'PAYMENT' | 'REFUND' | 'INFRACTION' | 'PAYOUT' | 'CARD';

export interface News {
  kind: NewsKind;
  /** One piece of news each within a kind. */
  subject: string;
  clientId: string;
  /** Fixed when the thing happens, so that every attempt sends the same bytes. */
  body: string;
}

/** News of which the receiver has yet to be told, taken under a lease by the one who tells it now. */
export interface ClaimedCallback extends News {
  leaseToken: string;
  /** This attempt counted. */
  attempts: number;
}

type CallbackState = 'PENDING' | 'DELIVERED' | 'ABANDONED';
type CallbackVerb = 'deliver' | 'try_again' | 'abandon';

export const callbackTransitions: Table<CallbackState, CallbackVerb> = {
  PENDING: { deliver: 'DELIVERED', try_again: 'PENDING', abandon: 'ABANDONED' },
  DELIVERED: {},
  ABANDONED: {},
};

export interface CallbackOutcome {
  state: CallbackState;
  /** Until the next attempt; null: there is none. */
  delayMs: number | null;
}

const MAX_ATTEMPTS = 100;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

export function newsOfPayment(payment: Payment): News {
  return pixNews('PAYMENT', payment.endToEndId, payment);
}

/** A refund of the payment has ended; the payment tells of it as it tells of all its refunds. */
export function newsOfRefund(payment: Payment, refundId: string): News {
  return pixNews('REFUND', `${payment.endToEndId}/${refundId}`, payment);
}

/** The payer's bank has reported a payment. */
export function newsOfInfraction({ id: idInfracao, clientId, endToEndId, txid }: Infraction): News {
  const body = { pix: [], infracoes: [{ idInfracao, endToEndId, txid }] };
  return { kind: 'INFRACTION', subject: idInfracao, clientId, body: JSON.stringify(body) };
}

/** A payout has ended. */
export function newsOfPayout(payout: Payout): News {
  const body = { pix: [toldPayoutOf(payout)] };
  return {
    kind: 'PAYOUT',
    subject: payout.endToEndId,
    clientId: payout.clientId,
    body: JSON.stringify(body),
  };
}

type CardHook = 'charge.paid' | 'charge.payment_failed' | 'charge.refunded' | 'charge.chargedback';

/** What has become of a card charge, as a hook of Pagar.me v5. */
export function newsOfCardCharge(type: CardHook, charge: CardCharge, now: Date): News {
  const id = newCardApiId('hook');
  const body = { id, type, created_at: now.toISOString(), data: cardChargeOf(charge) };
  return { kind: 'CARD', subject: id, clientId: charge.clientId, body: JSON.stringify(body) };
}

/** Where the receiver wants to hear of it; undefined when it no longer does. */
export function addressOf({ kind }: News, client: Client | undefined): string | undefined {
  if (kind === 'CARD') return client?.cards?.callbackUrl;
  return (kind === 'PAYOUT' && client?.payoutCallbackUrl) || client?.callbackUrl;
}

function pixNews(kind: NewsKind, subject: string, payment: Payment): News {
  return { kind, subject, clientId: payment.clientId, body: JSON.stringify({ pix: [pixOf(payment)] }) };
}

/** What follows from an attempt that did not arrive: again after 1, 2, 4, 8, 16, 30, 30… seconds, 100 in all. */
export function outcomeOf({
  attempts,
  isReceived,
}: {
  attempts: number;
  isReceived: boolean;
}): CallbackOutcome {
  if (isReceived) return { state: afterPending('deliver'), delayMs: null };
  if (attempts >= MAX_ATTEMPTS) return { state: afterPending('abandon'), delayMs: null };
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
  return { state: afterPending('try_again'), delayMs };
}

/** What a sender has claimed is PENDING as long as its lease lasts. */
function afterPending(verb: CallbackVerb): CallbackState {
  return demandNext(callbackTransitions, { noun: 'callback', status: 'PENDING' }, verb);
}
