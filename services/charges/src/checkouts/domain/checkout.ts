import { randomUUID } from 'node:crypto';
import type { EventData } from '@plataforma/events';
import { type Cents, type Environment, Refusal } from '@plataforma/kernel';
import type { Charge } from '../../domain/charge.ts';
import { requireDocument } from '../../domain/payer.ts';
import { amountOf, isBuyer, type LinkMethod, linkEndOf, type PaymentLink } from './payment-link.ts';

/** A buyer’s visit to a payment link. */
export interface Checkout {
  /** Random in all of its bits: who has it may read and pay. */
  id: string;
  linkId: string;
  environment: Environment;
  /** The externalId of all its charges, so that at most one of them is open. */
  externalId: string;
  payerName: string;
  payerDocument: string;
  amount: Cents;
  /** The group of the network that began it; null of a visit from release 0.6.0. */
  callerGroup: number | null;
  /** Begun with the token of the link's one buyer, which leads back to it. */
  isOfBuyer: boolean;
  /** HELD: a charge lives or a card form is open, which keeps no use of the link from others. USED: the visit is paid. */
  use: 'NONE' | 'HELD' | 'USED';
  cardFormUntil: Date | null;
  /** Since when only a form is open. */
  heldSince: Date | null;
  /** The latest one; `isLiving`: it is PENDING. */
  chargeId: string | null;
  isLiving: boolean;
  /** Cards that were declined. */
  declines: number;
  /** When the scheduler checks whether it has ended; null: its end is announced. */
  endsAt: Date | null;
  createdAt: Date;
}

export type UnpaidCause = EventData<'checkout.expired'>['cause'];

const CARD_FORM_MS = 10 * 60_000;
/** In all, so that a form does not stay open for ever on a link that is off. */
const RESERVED_MS = 30 * 60_000;
const MAX_DECLINES = 5;
/** From its beginning until it counts as not paid. */
const LIFE_MS = 24 * 3_600_000;

export interface Visitor {
  id?: string | undefined;
  payerName?: string | undefined;
  payerDocument?: string | undefined;
  amount?: Cents | undefined;
  buyerToken?: string | undefined;
  callerGroup: number | null;
}

/** Returns the payer that the link names, or else the visitor. */
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
    ...{ declines: 0, endsAt: timeOverAt(now), createdAt: now },
  };
}

/** A buyer may choose the id of a visit, which follows a prefix only, because alone it may be the number of any order. */
function visitExternalId({ externalIdPrefix }: PaymentLink, id: string): string {
  return externalIdPrefix ? externalIdPrefix + hexOf(id) : hexOf(randomUUID());
}

const hexOf = (id: string): string => id.replaceAll('-', '');

function timeOverAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIFE_MS);
}

/** Decides whether a checkout without a use has ended unpaid, and why; else when its time will be over. */
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

/** The order that a charge of the checkout is. */
export function orderOf({ id, linkId, ...checkout }: Checkout, link: PaymentLink) {
  const { amount, externalId, payerName, payerDocument } = checkout;
  const { description } = link;
  const named = { checkoutId: id, paymentLinkId: linkId };
  return { amount, externalId, payerName, payerDocument, description, checkout: named };
}

export function triesLeft({ declines }: Checkout): number {
  return Math.max(0, MAX_DECLINES - declines);
}

/** Refuses where numbers of cards may be tried out. */
export function requireTriesLeft(checkout: Checkout): void {
  if (triesLeft(checkout) > 0) return;
  throw new Refusal('conflict', 'CARD_TRIES_USED', 'too many cards were declined in this visit: pay by Pix');
}

export function requireMethod(link: PaymentLink, method: LinkMethod): void {
  if (link.methods.includes(method)) return;
  throw new Refusal('conflict', 'INVALID_STATE', `the payment link is not paid by ${method}`);
}

/** A form that is open keeps its use, whatever becomes of the charge. */
export function isFormOpen({ use, cardFormUntil }: Checkout, now: Date): boolean {
  return use === 'HELD' && cardFormUntil !== null && cardFormUntil > now;
}

/** Only an open form holds the use: no charge does. */
export function isReservedByForm(checkout: Checkout, now: Date): boolean {
  return isFormOpen(checkout, now) && !checkout.isLiving;
}

/** Opens the form, or keeps it open for longer: until half an hour after it began to hold the use alone. */
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

/** The answer while the end of an attempt is not known: nothing else is begun beside it. */
export function outcomeUnknown(): Refusal {
  const message = 'it is not known yet what became of the payment before; ask again';
  return new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
}

/** The order has a charge that is not this checkout’s. */
export function paidElsewhere(): Refusal {
  const message = 'externalId: the order is paid, or being paid, in another way';
  return new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}

/** The id is that of another visit. */
export function anotherVisit(): Refusal {
  return new Refusal('conflict', 'IDEMPOTENCY_CONFLICT', 'id: is that of another visit');
}

export function noSuchCheckout(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
}
