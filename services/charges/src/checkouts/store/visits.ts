import type { Queryable, Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { readCharge } from '../../store/charges.ts';
import {
  type Checkout,
  isReservedByForm,
  noSuchCheckout,
  outcomeUnknown,
  withForm,
} from '../domain/checkout.ts';
import { linkNotOpen, linkStatusOf, noUsesLeft, type PaymentLink } from '../domain/payment-link.ts';
import { findCheckout, lockCheckout, releaseUse, saveReservation, takeUse } from './checkouts.ts';
import { readLink, readLinkState } from './payment-links.ts';

export interface Visit {
  checkout: Checkout;
  link: PaymentLink;
  /** The latest charge of the visit. */
  charge: Charge | null;
}

/**
 * Reads a visit. Throws INVALID_STATE if the visit, its link or its charge has no valid seal, or if the
 * charge belongs to a different visit.
 */
export async function readVisit(db: Queryable, id: string): Promise<Visit> {
  const checkout = await findCheckout(db, id);
  if (!checkout) throw noSuchCheckout();
  const link = await readLink(db, checkout.linkId);
  const charge = checkout.chargeId === null ? null : await readCharge(db, checkout.chargeId);
  if (charge && charge.checkoutId !== checkout.id) throw notOfVisit();
  return { checkout, link, charge };
}

interface Reservation {
  checkoutId: string;
  chargeId: string;
  /** A check that throws when the checkout must not start a further charge. */
  checkLocked?: (locked: Checkout) => void;
  /**
   * True for a Pix code, which may wait long for its payment. On an inactive or expired link, an open card
   * form allows no new code if the visit's latest charge was a Pix code.
   */
  isCode?: boolean;
}

/** Locks the checkout, and reserves a use of its link until the charge ends. */
export async function reserveForCharge(
  tx: Transaction,
  clock: Clock,
  { checkoutId, chargeId, checkLocked, isCode = false }: Reservation,
): Promise<void> {
  const checkout = await lockCheckout(tx, checkoutId);
  if (checkout.use === 'USED' || checkout.isLiving) throw outcomeUnknown();
  checkLocked?.(checkout);
  const locked = await withLink(tx, clock, checkout);
  if (isCode && locked.isLastForm && (await hadCode(tx, checkout))) throw linkNotOpen();
  await reserve(tx, locked);
  await saveReservation(tx, { ...checkout, chargeId, isLiving: true });
}

/**
 * Locks the checkout, and opens its card form or extends the form's time. On an inactive or expired link, an
 * open form gets more time only while a charge is pending.
 */
export async function reserveForForm(tx: Transaction, clock: Clock, checkoutId: string): Promise<void> {
  const checkout = await lockCheckout(tx, checkoutId);
  if (checkout.use === 'USED') return;
  const locked = await withLink(tx, clock, checkout);
  if (locked.isLastForm) return;
  await reserve(tx, locked);
  await saveReservation(tx, withForm(checkout, locked.now));
}

type Locked = Awaited<ReturnType<typeof withLink>>;

/**
 * Adds to a checkout the state of its link and the current times. The caller must hold the checkout's row
 * lock. The merchant's clock decides when a link ends, and real time when a card form closes.
 */
async function withLink(tx: Transaction, clock: Clock, checkout: Checkout) {
  const link = await readLinkState(tx, checkout.linkId);
  const [now, linkTime] = [clock(), await merchantTime(tx, clock, link)];
  const status = linkStatusOf(link, linkTime);
  const isOfForm = isReservedByForm(checkout, now);
  /**
   * True for an open form on an inactive or expired link. The buyer may use the remaining time of the form.
   */
  const isLastForm = isOfForm && isClosed(status);
  return { checkout, now, linkTime, status, isOfForm, isLastForm };
}

function isClosed(status: ReturnType<typeof linkStatusOf>): boolean {
  return status === 'INACTIVE' || status === 'EXPIRED';
}

async function hadCode(tx: Transaction, { chargeId }: Checkout): Promise<boolean> {
  return chargeId !== null && (await readCharge(tx, chargeId)).paymentMethod === 'PIX';
}

/**
 * Reserves a use of the link, unless a pending charge or an open form of the checkout already reserves one.
 * First releases a use that the checkout reserved for a closed form. Throws if no use is left.
 */
async function reserve(
  tx: Transaction,
  { checkout, now, linkTime, status, isOfForm }: Locked,
): Promise<void> {
  const { id, linkId, use, isLiving } = checkout;
  if (isLiving || isOfForm) {
    if (status === 'USED_UP') throw noUsesLeft();
    return;
  }
  if (use === 'HELD') await releaseUse(tx, id, now);
  if (await takeUse(tx, linkId, linkTime)) return;
  throw isClosed(linkStatusOf(await readLinkState(tx, linkId), linkTime)) ? linkNotOpen() : noUsesLeft();
}

/** The visit was changed in the database: a buyer would pay the charge of a different visit or merchant. */
function notOfVisit(): Refusal {
  return new Refusal('conflict', 'INVALID_STATE', 'this visit has a charge that is not its own');
}
