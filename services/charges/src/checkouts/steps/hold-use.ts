import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { type MerchantDirectory, merchantTime } from '@plataforma/service';
import type { Charge } from '../../domain/charge.ts';
import { readCharge } from '../../store/charges.ts';
import { type Checkout, isHeldByForm, noSuchCheckout, outcomeUnknown, withForm } from '../domain/checkout.ts';
import {
  linkEndOf,
  linkNotOpen,
  linkStateOf,
  linkStatusOf,
  mayCharge,
  noUsesLeft,
  type PaymentLink,
} from '../domain/payment-link.ts';
import { findCheckout, letGo, lockCheckout, saveHold, takeUse } from '../store/checkouts.ts';
import { readLink } from '../store/payment-links.ts';

export interface HoldUse {
  database: Database;
  merchants: MerchantDirectory;
  clock: Clock;
}

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

interface Holding {
  checkoutId: string;
  chargeId: string;
  /** Refuses what the checkout may not do any more, now that it is locked. */
  demand?: (locked: Checkout) => void;
  /** A code waits for long: on a link that is off or over a form turns into the first one of its visit, and into no other. */
  isCode?: boolean;
}

/** Marks the checkout of a charge as paying, from the transaction that writes the charge down until that of its end. */
export async function holdForCharge(
  tx: Transaction,
  { clock }: HoldUse,
  { checkoutId, chargeId, demand, isCode = false }: Holding,
): Promise<void> {
  const checkout = await lockCheckout(tx, checkoutId);
  if (checkout.use === 'USED' || checkout.isLiving) throw outcomeUnknown();
  demand?.(checkout);
  if (isCode && (await isLastForm(tx, clock, checkout)) && (await hadCode(tx, checkout))) throw linkNotOpen();
  await take(tx, clock, checkout);
  await saveHold(tx, { ...checkout, chargeId, isLiving: true });
}

/** Opens a card form, or keeps it open: on a link that is off or over, for no longer than it has. */
export async function holdForForm({ database, clock }: HoldUse, checkoutId: string): Promise<void> {
  await database.transaction(async (tx) => {
    const checkout = await lockCheckout(tx, checkoutId);
    if (checkout.use === 'USED') return;
    if (await isLastForm(tx, clock, checkout)) return;
    await take(tx, clock, checkout);
    await saveHold(tx, withForm(checkout, clock()));
  });
}

/** Only a form is open on a link that is off or over: its buyer has the time that is left of it. */
async function isLastForm(tx: Transaction, clock: Clock, checkout: Checkout): Promise<boolean> {
  if (!isHeldByForm(checkout, clock())) return false;
  const link = await readLink(tx, checkout.linkId);
  return ['INACTIVE', 'EXPIRED'].includes(linkStatusOf(link, await merchantTime(tx, clock, link)));
}

async function hadCode(tx: Transaction, { chargeId }: Checkout): Promise<boolean> {
  return chargeId !== null && (await readCharge(tx, chargeId)).paymentMethod === 'PIX';
}

/** Counts the visit as paying, unless others have used the link up. A form that has closed is counted off first. */
async function take(tx: Transaction, clock: Clock, checkout: Checkout): Promise<void> {
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

/** The time by which a link ends: in the sandbox its merchant's; forms close by the real one, as sessions end. */
async function linkTime(tx: Transaction, clock: Clock, { environment, linkId }: Checkout): Promise<Date> {
  return environment === 'production' ? clock() : merchantTime(tx, clock, await readLink(tx, linkId));
}

/** Refuses what an account may not charge any more. */
export async function demandMayCharge({ merchants }: HoldUse, link: PaymentLink): Promise<void> {
  if (mayCharge(await merchants.find(link.merchantId), link.environment)) return;
  throw linkNotOpen();
}
