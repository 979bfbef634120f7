import { requireNext, type Table } from '@plataforma/kernel';
import type { CardCharge } from './card-charge.ts';
import { newCardApiId } from './card-token.ts';
import { cardChargeOf } from './card-view.ts';
import type { Client } from './client.ts';
import type { Infraction } from './infraction.ts';
import { type Payment, pixOf } from './payment.ts';
import { callbackPayoutOf, type Payout } from './payout.ts';

type CallbackKind = 'PAYMENT' | 'REFUND' | 'INFRACTION' | 'PAYOUT' | 'CARD';

export interface NewCallback {
  kind: CallbackKind;
  /** The id of the reported event, unique among the callbacks of one kind. */
  subject: string;
  clientId: string;
  /** The body is built when the event happens, so that every attempt sends the same bytes. */
  body: string;
}

export type CallbackState = 'PENDING' | 'DELIVERED' | 'ABANDONED';

export const callbackTransitions: Table<CallbackState, 'deliver' | 'try_again' | 'abandon'> = {
  PENDING: { deliver: 'DELIVERED', try_again: 'PENDING', abandon: 'ABANDONED' },
  DELIVERED: {},
  ABANDONED: {},
};

const MAX_ATTEMPTS = 100;

export function paymentCallback(payment: Payment): NewCallback {
  return pixCallback('PAYMENT', payment.endToEndId, payment);
}

/**
 * Returns the callback for a refund that has ended. Its body contains the payment with all refunds of the
 * payment.
 */
export function refundCallback(payment: Payment, refundId: string): NewCallback {
  return pixCallback('REFUND', `${payment.endToEndId}/${refundId}`, payment);
}

export function infractionCallback({ id: idInfracao, clientId, endToEndId, txid }: Infraction): NewCallback {
  const body = { pix: [], infracoes: [{ idInfracao, endToEndId, txid }] };
  return { kind: 'INFRACTION', subject: idInfracao, clientId, body: JSON.stringify(body) };
}

export function payoutCallback(payout: Payout): NewCallback {
  const body = { pix: [callbackPayoutOf(payout)] };
  return {
    kind: 'PAYOUT',
    subject: payout.endToEndId,
    clientId: payout.clientId,
    body: JSON.stringify(body),
  };
}

type CardHook = 'charge.paid' | 'charge.payment_failed' | 'charge.refunded' | 'charge.chargedback';

/** Returns a callback with the state of a card charge, in the format of a Pagar.me v5 webhook. */
export function cardCallback(type: CardHook, charge: CardCharge, now: Date): NewCallback {
  const id = newCardApiId('hook');
  const body = { id, type, created_at: now.toISOString(), data: cardChargeOf(charge) };
  return { kind: 'CARD', subject: id, clientId: charge.clientId, body: JSON.stringify(body) };
}

/** Returns the client's current URL for this kind of callback; undefined if the client has no such URL. */
export function addressOf({ kind }: NewCallback, client: Client | undefined): string | undefined {
  if (kind === 'CARD') return client?.cards?.callbackUrl;
  return (kind === 'PAYOUT' && client?.payoutCallbackUrl) || client?.callbackUrl;
}

function pixCallback(kind: CallbackKind, subject: string, payment: Payment): NewCallback {
  return { kind, subject, clientId: payment.clientId, body: JSON.stringify({ pix: [pixOf(payment)] }) };
}

/** Decides the callback's state after an attempt to deliver it. During the attempt the state is PENDING. */
export function stateAfter({
  attempts,
  isReceived,
}: {
  attempts: number;
  isReceived: boolean;
}): CallbackState {
  const missed = attempts >= MAX_ATTEMPTS ? 'abandon' : 'try_again';
  const pending = { noun: 'callback', status: 'PENDING' as const };
  return requireNext(callbackTransitions, pending, isReceived ? 'deliver' : missed);
}
