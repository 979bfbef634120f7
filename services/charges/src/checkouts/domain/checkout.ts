import { randomUUID } from 'node:crypto';
import type { EventData } from '@plataforma/events';
import { type Cents, type Environment, Refusal } from '@plataforma/kernel';
import type { Charge } from '../../domain/charge.ts';
import { requireDocument } from '../../domain/payer.ts';
import { amountOf, isBuyer, type LinkMethod, linkEndOf, type PaymentLink } from './payment-link.ts';

/** A buyer’s visit to a payment link. */
export interface Checkout {
  /** A fully random id, because any caller that knows the id may read and pay the visit. */
  id: string;
  linkId: string;
  environment: Environment;
  /** The externalId of all charges of the visit, so that at most one of these charges is open. */
  externalId: string;
  payerName: string;
  payerDocument: string;
  amount: Cents;
  /** The network from which the visit began, as a number. Null if release 0.6.0 stored the visit. */
  callerGroup: number | null;
  /**
   * True for a visit that began with the link's buyer token. A caller with this token gets the same visit
   * again.
   */
  isOfBuyer: boolean;
  /**
   * The visit's use of the link. HELD: a charge or a card form is open; other visits can still pay. USED: the
   * visit is paid.
   */
  use: 'NONE' | 'HELD' | 'USED';
  cardFormUntil: Date | null;
  /**
   * The time since which the card form, without a pending charge, has reserved a use of the link. The form's
   * limit of 30 minutes counts from this time.
   */
  heldSince: Date | null;
  chargeId: string | null;
  /** True while the latest charge is PENDING. */
  isLiving: boolean;
  declines: number;
  /** The time when the scheduler checks whether the checkout has ended. Null once the end is announced. */
  endsAt: Date | null;
  createdAt: Date;
  /** The seal of the stored row. */
  seal: string | null;
}

export type UnpaidCause = EventData<'checkout.expired'>['cause'];

const CARD_FORM_MS = 10 * 60_000;
/**
 * The maximum total time for which a card form stays open while no charge is pending. Without this limit, a
 * buyer could extend the form again and again, and reserve a use of the payment link for ever.
 */
const RESERVED_MS = 30 * 60_000;
const MAX_DECLINES = 5;
/** A visit without a payment ends after this time. */
const LIFE_MS = 24 * 3_600_000;

export interface Visitor {
  id?: string | undefined;
  payerName?: string | undefined;
  payerDocument?: string | undefined;
  amount?: Cents | undefined;
  buyerToken?: string | undefined;
  callerGroup: number | null;
}

/** Returns the payer that the link names, or else the payer that the visitor gives. */
function payerOf(link: PaymentLink, visitor: Visitor): { name: string; document: string } {
  const name = link.payerName ?? visitor.payerName;
  const document = link.payerDocument ?? visitor.payerDocument;
  if (!name) throw new Refusal('invalid', 'VALIDATION_ERROR', 'payerName: is required');
  if (!document) throw new Refusal('invalid', 'VALIDATION_ERROR', 'payerDocument: is required');
  return { name, document };
}

export function newCheckout(link: PaymentLink, visitor: Visitor, now: Date): Checkout {
  const payer = payerOf(link, visitor);
  requireDocument(payer.document, link.environment);
  const { id = randomUUID() } = visitor;
  return {
    id,
    linkId: link.id,
    environment: link.environment,
    externalId: link.externalId ?? visitExternalId(link, id),
    payerName: payer.name,
    payerDocument: payer.document,
    amount: amountOf(link, visitor.amount),
    callerGroup: visitor.callerGroup,
    isOfBuyer: isBuyer(link, visitor.buyerToken),
    ...{ use: 'NONE', cardFormUntil: null, heldSince: null, chargeId: null, isLiving: false },
    ...{ declines: 0, endsAt: timeOverAt(now), createdAt: now, seal: null },
  };
}

/**
 * Returns the externalId of a visit. A buyer may choose a visit's id, for example another order's number, so
 * the id is used only after the link's prefix. Without a prefix, the externalId is random.
 */
function visitExternalId({ externalIdPrefix }: PaymentLink, id: string): string {
  return externalIdPrefix ? externalIdPrefix + hexOf(id) : hexOf(randomUUID());
}

const hexOf = (id: string): string => id.replaceAll('-', '');

function timeOverAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIFE_MS);
}

/**
 * Decides whether a checkout with no open or paid charge has ended. Returns the cause of the end, or else the
 * time at which the checkout will end.
 */
export function unpaidEndOf(
  { createdAt }: Pick<Checkout, 'createdAt'>,
  link: PaymentLink,
  { now, linkTime }: { now: Date; linkTime: Date },
): { cause: UnpaidCause } | { dueAt: Date } {
  const linkEnd = linkEndOf(link, linkTime);
  if (linkEnd) return { cause: `LINK_${linkEnd}` };
  const dueAt = timeOverAt(createdAt);
  return dueAt <= now ? { cause: 'TIME_OVER' } : { dueAt };
}

export function orderOf({ id, linkId, ...checkout }: Checkout, link: PaymentLink) {
  const { amount, externalId, payerName, payerDocument } = checkout;
  const { description } = link;
  const named = { checkoutId: id, paymentLinkId: linkId };
  return { amount, externalId, payerName, payerDocument, description, checkout: named };
}

export function triesLeft({ declines }: Checkout): number {
  return Math.max(0, MAX_DECLINES - declines);
}

/** Refuses a further card after too many declines, because the visit may be testing card numbers. */
export function requireTriesLeft(checkout: Checkout): void {
  if (triesLeft(checkout) > 0) return;
  throw new Refusal('conflict', 'CARD_TRIES_USED', 'too many cards were declined in this visit: pay by Pix');
}

export function requireMethod(link: PaymentLink, method: LinkMethod): void {
  if (link.methods.includes(method)) return;
  throw new Refusal('conflict', 'INVALID_STATE', `the payment link is not paid by ${method}`);
}

/**
 * Returns whether the card form is open. An open form keeps the use of the link reserved, even when the
 * charge ends.
 */
export function isFormOpen({ use, cardFormUntil }: Checkout, now: Date): boolean {
  return use === 'HELD' && cardFormUntil !== null && cardFormUntil > now;
}

/** Returns whether only an open card form, and no pending charge, reserves the use of the link. */
export function isReservedByForm(checkout: Checkout, now: Date): boolean {
  return isFormOpen(checkout, now) && !checkout.isLiving;
}

/**
 * Opens or extends the card form. Without a pending charge, the form stays open for at most 30 minutes in
 * total.
 */
export function withForm(checkout: Checkout, now: Date): Checkout {
  const heldSince = (isReservedByForm(checkout, now) && checkout.heldSince) || now;
  const until = Math.min(now.getTime() + CARD_FORM_MS, heldSince.getTime() + RESERVED_MS);
  return { ...checkout, heldSince, cardFormUntil: new Date(until) };
}

export function checkoutStateOf(checkout: Checkout, charge: Charge | null, now: Date) {
  const status = charge?.status;
  if (status === 'PAID' || status === 'REFUNDED' || status === 'DISPUTED') return status;
  if (status === 'PENDING') return charge?.paymentMethod === 'CARD' ? 'PROCESSING' : 'PIX';
  if (isFormOpen(checkout, now)) return 'CARD_FORM';
  return status === 'EXPIRED' ? 'CODE_ENDED' : 'OPEN';
}

export function outcomeUnknown(): Refusal {
  const message = 'the outcome of the previous payment is still unknown; send the request again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}

export function paidElsewhere(): Refusal {
  const message = 'externalId: the order is paid, or being paid, in another way';
  return new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}

export function anotherVisit(): Refusal {
  return new Refusal('conflict', 'IDEMPOTENCY_CONFLICT', 'id: belongs to another visit');
}

export function noSuchCheckout(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
}
