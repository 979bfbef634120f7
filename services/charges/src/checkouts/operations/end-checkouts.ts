import type { Database } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import { type Clock, later } from '@plataforma/kernel';
import { aheadOf, merchantTime } from '@plataforma/service';
import { announce } from '@plataforma/tables';
import type { Claimed, Leased } from '@plataforma/work';
import { readCharge } from '../../store/charges.ts';
import { announceCompleted } from '../../store/paid-charges.ts';
import { type Checkout, type UnpaidCause, unpaidEndOf } from '../domain/checkout.ts';
import { linkEndOf, type PaymentLink } from '../domain/payment-link.ts';
import { lockCheckout, makeCheckoutsDue, makeCodesDue, saveExpired, setDueAt } from '../store/checkouts.ts';
import { endingLinks, readLink } from '../store/payment-links.ts';

interface EndCheckouts {
  database: Database;
  clock: Clock;
}

/**
 * Announces the end of a due checkout. The checkout is unpaid, or a replica of an older release recorded its
 * payment without an announcement. The row lock decides between this end and a simultaneous payment.
 */
export async function endCheckout({ database, clock }: EndCheckouts, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, id);
    const { endsAt, use, chargeId } = checkout;
    if (endsAt === null || use === 'HELD') return;
    if (use === 'USED' && chargeId !== null) return announceCompleted(tx, await readCharge(tx, chargeId));
    const link = await readLink(tx, checkout.linkId);
    const linkTime = await merchantTime(tx, clock, link);
    const end = unpaidEndOf(checkout, link, { now: clock(), linkTime });
    if ('dueAt' in end) return setDueAt(tx, id, end.dueAt);
    const sequence = await saveExpired(tx, id);
    await announce(tx, expiredOf(checkout, link, { cause: end.cause, at: linkTime, sequence }));
  });
}

function expiredOf(
  { id, amount, externalId, chargeId }: Checkout,
  { id: paymentLinkId, slug, merchantId, environment }: PaymentLink,
  { cause, at, sequence }: { cause: UnpaidCause; at: Date; sequence: number },
): Announcement {
  const about = { merchantId, environment, aggregateId: id, sequence };
  const data = { id, paymentLinkId, slug, amount, externalId, cause, chargeId, expiredAt: at.toISOString() };
  return { ...about, type: 'checkout.expired', data: { ...data, status: 'EXPIRED' } };
}

/**
 * If the link has ended, makes the link's open checkouts due. If all uses are paid, makes the link's unpaid
 * Pix codes due too. If the link changes at the same time, the link becomes due again.
 */
export async function endLink(
  { database, clock }: EndCheckouts,
  { item: { id }, lease: { token } }: Claimed<Leased & { id: string }>,
): Promise<void> {
  const link = await readLink(database, id);
  const now = clock();
  const aheadMs = await aheadOf(database, link);
  const end = linkEndOf(link, later(now, aheadMs));
  if (end) await makeCheckoutsDue(database, id, now);
  if (end === 'USED_UP') await makeCodesDue(database, id, now);
  const dueAt = end || !link.expiresAt ? null : later(link.expiresAt, -aheadMs);
  await endingLinks.release(database, { id, token, dueAt });
}
