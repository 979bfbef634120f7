import type { Announcement } from '@plataforma/events';
import type { Card, Charge } from '../domain/charge.ts';

/** The names of a charge's payment, which events of its disputes carry as well. */
export function namesOf({ paymentMethod, externalId, endToEndId, card, metadata }: Charge) {
  return { paymentMethod, externalId, endToEndId, ...cardNamesOf(card), metadata };
}

/** The fields of a card that merchants see, without its digits; all null for a Pix. */
export function cardNamesOf(card: Card | null) {
  return {
    installments: card?.installments ?? null,
    cardBrand: card?.brand ?? null,
    nsu: card?.nsu ?? null,
    authorizationCode: card?.authorizationCode ?? null,
    acquirerId: card?.acquirerId ?? null,
  };
}

/** What every event of a charge says of it. */
export function factsOf(charge: Charge) {
  const { id, txid, amount, feeAmount, netAmount } = charge;
  const { checkoutId, paymentLinkId } = charge;
  const checkout = checkoutId && paymentLinkId ? { checkoutId, paymentLinkId } : {};
  return { id, txid, amount, feeAmount, netAmount, ...namesOf(charge), ...checkout };
}

/** Whose event it is, and its place among those of the charge. */
export function placeOf({ id: aggregateId, merchantId, environment, sequence }: Charge) {
  return { aggregateId, merchantId, environment, sequence };
}

/** Announces that a charge was just paid, or has just expired. */
export function announcementOf(charge: Charge): Announcement {
  const about = placeOf(charge);
  const data = factsOf(charge);
  if (charge.status === 'EXPIRED') {
    return { ...about, type: 'charge.expired', data: { ...data, status: 'EXPIRED', paidAt: null } };
  }
  if (charge.status !== 'PAID' || !charge.paidAt)
    throw new Error(`nothing is announced of a charge that is ${charge.status}`);
  const paidAt = charge.paidAt.toISOString();
  const settlesAt = charge.settlesAt?.toISOString() ?? null;
  const paid = { ...data, status: charge.status, paidAt, settlesAt, payerName: charge.payerName };
  return { ...about, type: 'charge.paid', data: paid };
}
