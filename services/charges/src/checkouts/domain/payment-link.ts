import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { PaymentLinkView } from '@plataforma/contracts';
import { type Cents, type Environment, MAX_AMOUNT, MIN_AMOUNT, newId, Refusal } from '@plataforma/kernel';
import { requireDocument } from '../../domain/payer.ts';
import { requireImage } from './logo.ts';

export type LinkMethod = 'PIX' | 'CARD';

export interface PaymentLink {
  id: string;
  merchantId: string;
  environment: Environment;
  /** The unguessable part of the link's address. */
  slug: string;
  isActive: boolean;
  description: string;
  /** Null means that the buyer chooses the amount, between `minAmount` and `maxAmount`. */
  amount: Cents | null;
  minAmount: Cents | null;
  maxAmount: Cents | null;
  methods: LinkMethod[];
  /** The number of payments that the link accepts; null for no limit. */
  uses: number | null;
  /**
   * The number of uses that are paid or that a visit is paying now. The limit `uses` applies to `paid`, not
   * to this number.
   */
  taken: number;
  paid: number;
  expiresAt: Date | null;
  returnUrl: string | null;
  externalId: string | null;
  externalIdPrefix: string | null;
  payerName: string | null;
  payerDocument: string | null;
  pixExpiresIn: number;
  color: string | null;
  /** The link's logo as a data URI; null means that the page shows the merchant's logo. */
  logo: string | null;
  /**
   * A secret that proves that a caller is the buyer of a link with one use. The merchant sends the secret to
   * this buyer. Null for links with several uses that release 0.6.0 created.
   */
  buyerToken: string | null;
  createdAt: Date;
  /** The seal of the stored row. Each save writes a new one. */
  seal: string | null;
}

/** The fields that decide whether a link takes payments. */
export type LinkState = Pick<PaymentLink, 'isActive' | 'uses' | 'paid' | 'expiresAt'>;

export type LinkFields = {
  [Field in Exclude<
    keyof PaymentLink,
    | 'id'
    | 'merchantId'
    | 'environment'
    | 'slug'
    | 'isActive'
    | 'taken'
    | 'paid'
    | 'buyerToken'
    | 'createdAt'
    | 'seal'
  >]?: NonNullable<PaymentLink[Field]> | undefined;
} & Pick<PaymentLink, 'description' | 'pixExpiresIn'> & { checkoutColor?: string | undefined };

const SLUG_BYTES = 12;

export function newPaymentLink(
  fields: LinkFields,
  about: Pick<PaymentLink, 'merchantId' | 'environment'> & { now: Date },
): PaymentLink {
  const { now: createdAt, merchantId, environment } = about;
  const { description, amount = null, minAmount = null, maxAmount = null, uses = null } = fields;
  const { methods = ['PIX', 'CARD'], expiresAt = null, returnUrl = null, logo = null } = fields;
  const { externalId = null, externalIdPrefix = null, payerName = null, payerDocument = null } = fields;
  const { pixExpiresIn, checkoutColor: color = fields.color ?? null } = fields;
  if (logo) requireImage(logo);
  if (payerDocument) requireDocument(payerDocument, environment);
  return {
    ...{ id: newId(), merchantId, environment, slug: randomBytes(SLUG_BYTES).toString('base64url') },
    ...{ isActive: true, taken: 0, paid: 0, buyerToken: randomUUID(), createdAt, seal: null },
    ...{ description, amount, minAmount, maxAmount, methods: [...new Set(methods)], uses, expiresAt },
    ...{ returnUrl, externalId, externalIdPrefix, payerName, payerDocument, pixExpiresIn, color, logo },
  };
}

/** The fields that a change of a link may set; null clears an optional field. */
export type LinkChange = {
  [Field in 'description' | 'isActive' | 'uses' | 'expiresAt' | 'returnUrl' | 'color' | 'logo']?:
    | PaymentLink[Field]
    | undefined;
} & { checkoutColor?: PaymentLink['color'] | undefined };

export function changedLink(link: PaymentLink, change: LinkChange): PaymentLink {
  if (change.logo) requireImage(change.logo);
  const { uses = link.uses } = change;
  if (uses !== null && uses < link.paid) {
    throw new Refusal('conflict', 'INVALID_STATE', `${link.paid} uses of the link are paid already`);
  }
  if (link.externalId !== null && uses !== 1) {
    throw new Refusal('conflict', 'INVALID_STATE', 'the link is the checkout of one order: it has one use');
  }
  const { description = link.description, isActive = link.isActive, expiresAt = link.expiresAt } = change;
  const { returnUrl = link.returnUrl, logo = link.logo } = change;
  const { checkoutColor: color = change.color === undefined ? link.color : change.color } = change;
  return { ...link, description, isActive, uses, expiresAt, returnUrl, color, logo };
}

/**
 * Returns why a link has ended, or null for a link that has not ended. An inactive link that has not ended
 * can be activated again.
 */
export function linkEndOf({ uses, paid, expiresAt }: LinkState, now: Date): 'USED_UP' | 'EXPIRED' | null {
  if (uses !== null && paid >= uses) return 'USED_UP';
  return expiresAt && expiresAt <= now ? 'EXPIRED' : null;
}

export function linkStatusOf(link: LinkState, now: Date): PaymentLinkView['status'] {
  const end = linkEndOf(link, now);
  if (end !== 'USED_UP' && !link.isActive) return 'INACTIVE';
  return end ?? 'ACTIVE';
}

/** Returns the token that the address for the only buyer contains, or null for a link with several buyers. */
export function buyerTokenOf({ uses, buyerToken }: PaymentLink): string | null {
  return uses === 1 ? buyerToken : null;
}

export function isBuyer(link: PaymentLink, token: string | undefined): boolean {
  const own = buyerTokenOf(link);
  if (own === null || token?.length !== own.length) return false;
  return timingSafeEqual(Buffer.from(token.toLowerCase()), Buffer.from(own));
}

/** The part of a merchant's account that decides whether it may charge. */
export interface Account {
  status: 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
}

function mayCharge({ status }: Account, environment: Environment): boolean {
  return status === 'APPROVED' || (status === 'PENDING' && environment === 'sandbox');
}

export function requireMayCharge(merchant: Account, { environment }: PaymentLink): void {
  if (!mayCharge(merchant, environment)) throw linkNotOpen();
}

export function linkStateOf(link: PaymentLink, { merchant, now }: { merchant: Account; now: Date }) {
  const status = linkStatusOf(link, now);
  if (status === 'USED_UP' || status === 'EXPIRED') return status;
  if (status === 'INACTIVE' || !mayCharge(merchant, link.environment)) return 'CLOSED';
  return 'OPEN';
}

export function linkNotOpen(): Refusal {
  return new Refusal('conflict', 'LINK_NOT_OPEN', 'the payment link takes no payment at this moment');
}

export function noUsesLeft(): Refusal {
  const message = 'other buyers paid the payment link; a later payment is returned';
  return new Refusal('conflict', 'NO_USES_LEFT', message);
}

export function noSuchLink(): Refusal {
  return new Refusal('missing', 'NOT_FOUND', 'there is no such payment link');
}

/**
 * Returns the link's amount. If the link has no amount, returns the buyer's amount, which must be within the
 * link's limits.
 */
export function amountOf(link: PaymentLink, requested: Cents | undefined): Cents {
  if (link.amount !== null) {
    if (requested === undefined || requested === link.amount) return link.amount;
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'amount: the payment link has its own');
  }
  const { minAmount, maxAmount } = link;
  const [min, max] = [minAmount ?? MIN_AMOUNT, maxAmount ?? MAX_AMOUNT];
  if (requested === undefined) throw new Refusal('invalid', 'VALIDATION_ERROR', 'amount: is required');
  if (requested >= min && requested <= max) return requested;
  throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be from ${min} to ${max} cents`);
}

/** Refuses a number of installments that the page did not offer to the buyer. */
export function requireShownCount(
  requested: number,
  { amount, maxInstallments }: { amount: Cents; maxInstallments: number },
): void {
  if (installmentsOf(amount, maxInstallments).some(({ count }) => count === requested)) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'installments: must be one of those that the visit shows');
}

/**
 * Returns the possible installments: equal amounts, none below the minimum. The first installment includes
 * the remaining cents.
 */
export function installmentsOf(amount: Cents, most: number) {
  const counts = Array.from({ length: most }, (_, i) => i + 1);
  return counts
    .filter((count) => count === 1 || Math.floor(amount / count) >= MIN_AMOUNT)
    .map((count) => {
      const part = Math.floor(amount / count);
      return { count, amount: part, firstAmount: amount - part * (count - 1) };
    });
}
