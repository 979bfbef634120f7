import type { Transaction } from '@plataforma/data';
import { announce } from '@plataforma/messaging';
import type { Charge } from '../domain/charge.ts';
import { saveCompleted } from '../store/completed-checkouts.ts';
import { announcementOf } from './announcement.ts';

/** Announces that a charge was just paid, and with it the checkout that made it. */
export async function announcePaid(tx: Transaction, charge: Charge): Promise<void> {
  await announce(tx, announcementOf(charge));
  await announceCompleted(tx, charge);
}

/** Announces once that the checkout of a charge is paid, if it has one. */
export async function announceCompleted(tx: Transaction, charge: Charge): Promise<void> {
  const { id: chargeId, checkoutId, paymentLinkId, paymentMethod, amount, externalId, metadata } = charge;
  const paidAt = charge.paidAt?.toISOString();
  if (!checkoutId || !paymentLinkId || !paidAt) return;
  const completed = await saveCompleted(tx, checkoutId);
  if (!completed) return;
  const { slug, sequence } = completed;
  const { merchantId, environment } = charge;
  const data = { id: checkoutId, paymentLinkId, slug, amount, externalId, chargeId, paymentMethod, metadata };
  await announce(tx, {
    ...{ type: 'checkout.completed', merchantId, environment, aggregateId: checkoutId, sequence },
    data: { ...data, status: 'COMPLETED', paidAt },
  });
}
