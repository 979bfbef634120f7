import { requireNext, type Table } from '@plataforma/kernel';
import type { CardCharge } from './card-charge.ts';
import { newCardApiId } from './card-token.ts';
import { cardChargeOf } from './card-view.ts';
import type { Client } from './client.ts';
import type { Infraction } from './infraction.ts';
import { type Payment, pixOf } from './payment.ts';
import { type Payout, toldPayoutOf } from './payout.ts';

/** What a receiver is to hear of. */
type NewsKind = 'PAYMENT' | 'REFUND' | 'INFRACTION' | 'PAYOUT' | 'CARD';

export interface News {
  kind: NewsKind;
  /** One piece of news each within a kind. */
  subject: string;
  clientId: string;
  /** Fixed when the thing happens, so that every attempt sends the same bytes. */
  body: string;
}

export type CallbackState = 'PENDING' | 'DELIVERED' | 'ABANDONED';

export const callbackTransitions: Table<CallbackState, 'deliver' | 'try_again' | 'abandon'> = {
  PENDING: { deliver: 'DELIVERED', try_again: 'PENDING', abandon: 'ABANDONED' },
  DELIVERED: {},
  ABANDONED: {},
};

const MAX_ATTEMPTS = 100;

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

/** What follows from an attempt. What a sender has claimed is PENDING as long as its lease lasts. */
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
