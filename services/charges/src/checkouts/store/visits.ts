import type { Queryable, Transaction } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { readCharge } from '../../store/charges.ts';
import { type Checkout, isHeldByForm, noSuchCheckout, outcomeUnknown, withForm } from '../domain/checkout.ts';
import {
  linkEndOf,
  linkNotOpen,
  linkStateOf,
  linkStatusOf,
  noUsesLeft,
  type PaymentLink,
} from '../domain/payment-link.ts';
import { findCheckout, letGo, lockCheckout, saveHold, takeUse } from './checkouts.ts';
import { readLink } from './payment-links.ts';

export interface Visit {
  checkout: Checkout;
  link: PaymentLink;
  /** The latest one. */
  charge: Charge | null;
}

export async function readVisit(db: Queryable, id: string): Promise<Visit> {
  const checkout = await findCheckout(db, id);
  if (!checkout) throw noSuchCheckout();
  const link = await readLink(db, checkout.linkId);
  const charge = checkout.chargeId === null ? null : await readCharge(db, checkout.chargeId);
  return { checkout, link, charge };
}

interface Reservation {
  checkoutId: string;
  chargeId: string;
  /** Throws when the locked checkout may not start another charge. */
  demand?: (locked: Checkout) => void;
  /** A code waits for long: on a link that is off or over, a form becomes only the first code of its visit. */
  isCode?: boolean;
}

/** Locks the checkout and reserves a use of its link for a charge, until the transaction that ends the charge. */
export async function reserveForCharge(
  tx: Transaction,
  clock: Clock,
  { checkoutId, chargeId, demand, isCode = false }: Reservation,
): Promise<void> {
  const checkout = await lockCheckout(tx, checkoutId);
  if (checkout.use === 'USED' || checkout.isLiving) throw outcomeUnknown();
  demand?.(checkout);
  if (isCode && (await isLastForm(tx, clock, checkout)) && (await hadCode(tx, checkout))) throw linkNotOpen();
  await reserve(tx, clock, checkout);
  await saveHold(tx, { ...checkout, chargeId, isLiving: true });
}

/** Locks the checkout and opens or extends its card form. On a link that is off or over, a form gets no more time. */
export async function reserveForForm(tx: Transaction, clock: Clock, checkoutId: string): Promise<void> {
  const checkout = await lockCheckout(tx, checkoutId);
  if (checkout.use === 'USED' || (await isLastForm(tx, clock, checkout))) return;
  await reserve(tx, clock, checkout);
  await saveHold(tx, withForm(checkout, clock()));
}

/** True for an open form on a link that is off or over: its buyer keeps the time that is left. */
async function isLastForm(tx: Transaction, clock: Clock, checkout: Checkout): Promise<boolean> {
  if (!isHeldByForm(checkout, clock())) return false;
  const link = await readLink(tx, checkout.linkId);
  return ['INACTIVE', 'EXPIRED'].includes(linkStatusOf(link, await merchantTime(tx, clock, link)));
}

async function hadCode(tx: Transaction, { chargeId }: Checkout): Promise<boolean> {
  return chargeId !== null && (await readCharge(tx, chargeId)).paymentMethod === 'PIX';
}

/** Reserves a use, unless others have used the link up. A form that has closed releases its own first. */
async function reserve(tx: Transaction, clock: Clock, checkout: Checkout): Promise<void> {
  const { id, linkId, use } = checkout;
  if (checkout.isLiving || isHeldByForm(checkout, clock())) {
    if (linkEndOf(await readLink(tx, linkId), clock()) === 'USED_UP') throw noUsesLeft();
    return;
  }
  if (use === 'HELD') await letGo(tx, id, clock());
  const now = await linkTime(tx, clock, checkout);
  if (await takeUse(tx, linkId, now)) return;
  const link = await readLink(tx, linkId);
  const state = linkStateOf(link, { merchant: { status: 'APPROVED' }, now });
  throw state === 'CLOSED' || state === 'EXPIRED' ? linkNotOpen() : noUsesLeft();
}

/** The time that ends a link: the merchant's in the sandbox. Forms close by the real time. */
async function linkTime(tx: Transaction, clock: Clock, { environment, linkId }: Checkout): Promise<Date> {
  return environment === 'production' ? clock() : merchantTime(tx, clock, await readLink(tx, linkId));
}
