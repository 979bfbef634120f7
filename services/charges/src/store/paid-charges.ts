import type { Queryable, Transaction } from '@plataforma/data';
import { announce } from '@plataforma/tables';
import { paidOrExpiredEvent } from '../domain/announcements.ts';
import type { Charge } from '../domain/charge.ts';

/** `ends_at` is null once the end of the checkout is announced, so that a second call finds no row. */
const COMPLETE = `
  UPDATE checkouts SET ends_at = NULL, sequence = sequence + 1 FROM payment_links
  WHERE checkouts.id = $1 AND payment_links.id = checkouts.link_id AND use = 'USED' AND ends_at IS NOT NULL
  RETURNING slug, sequence`;

/**
 * Announces that a charge was paid and its checkout is complete. The caller must save the charge first. The
 * trigger follow_checkout then sets the checkout's `use` to USED, which the completion requires.
 */
export async function announcePaid(tx: Transaction, charge: Charge): Promise<void> {
  await announce(tx, paidOrExpiredEvent(charge));
  await announceCompleted(tx, charge);
}

/**
 * Announces that the checkout of a charge is paid, if the charge has a checkout. A second call announces
 * nothing.
 */
export async function announceCompleted(tx: Transaction, charge: Charge): Promise<void> {
  const { id: chargeId, checkoutId, paymentLinkId, paymentMethod, amount, externalId, metadata } = charge;
  const paidAt = charge.paidAt?.toISOString();
  if (!checkoutId || !paymentLinkId || !paidAt) return;
  const [completed] = await tx.query<{ slug: string; sequence: number }>(COMPLETE, [checkoutId]);
  if (!completed) return;
  const { slug, sequence } = completed;
  const { merchantId, environment } = charge;
  const data = { id: checkoutId, paymentLinkId, slug, amount, externalId, chargeId, paymentMethod, metadata };
  await announce(tx, {
    ...{ type: 'checkout.completed', merchantId, environment, aggregateId: checkoutId, sequence },
    data: { ...data, status: 'COMPLETED', paidAt },
  });
}

const HAS_USE = 'SELECT uses IS NULL OR paid < uses AS "hasUse" FROM payment_links WHERE id =';
/**
 * Locks the checkout and then its link. Every transaction locks first the charge, then the checkout, then the
 * link, so that no two transactions deadlock.
 */
const LOCK_USE = `
  WITH visit AS MATERIALIZED (SELECT link_id FROM checkouts WHERE id = $1 FOR NO KEY UPDATE)
  ${HAS_USE} (SELECT link_id FROM visit) FOR NO KEY UPDATE`;

/**
 * Locks the payment link of a charge. The caller must hold the row lock of the charge. Returns whether the
 * link has an unpaid use left, and true for a charge without a link.
 */
export async function lockUse(tx: Transaction, { checkoutId }: Pick<Charge, 'checkoutId'>): Promise<boolean> {
  if (checkoutId === null) return true;
  const [row] = await tx.query<{ hasUse: boolean }>(LOCK_USE, [checkoutId]);
  return row?.hasUse ?? true;
}

/**
 * Returns true if the charge's link has fewer paid uses than its limit, has no limit, or does not exist. Does
 * not lock the link, so the result may change at once.
 */
export async function hasUse(
  db: Queryable,
  { paymentLinkId }: Pick<Charge, 'paymentLinkId'>,
): Promise<boolean> {
  if (paymentLinkId === null) return true;
  const [row] = await db.query<{ hasUse: boolean }>(`${HAS_USE} $1`, [paymentLinkId]);
  return row?.hasUse ?? true;
}
