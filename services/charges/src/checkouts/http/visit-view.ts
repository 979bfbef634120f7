import { maskedDocument, qrImageDataUri } from '@plataforma/brcode';
import type { LinkPageView, VisitView } from '@plataforma/contracts';
import { type Environment, later } from '@plataforma/kernel';
import { declined, hasCards } from '../../domain/card.ts';
import type { Charge } from '../../domain/charge.ts';
import { buyersUnexpectedPaymentView, paidCardOf } from '../../http/charge-view.ts';
import type { UnmatchedSummary } from '../../store/unmatched-of-charge.ts';
import { checkoutStateOf, isFormOpen, triesLeft } from '../domain/checkout.ts';
import { installmentsOf, linkStateOf, type PaymentLink } from '../domain/payment-link.ts';
import type { Visit } from '../store/visits.ts';
import { type ShopAppearance, sellerView } from './shop-appearance.ts';

interface Providers {
  pix: Partial<Record<Environment, unknown>>;
  cards: Partial<Record<Environment, () => { publicKey: string; tokenizeUrl: string }>>;
}

export interface Beside extends ShopAppearance {
  providers: Providers;
  /** The real time, which decides when a card form closes. */
  now: Date;
  /** Milliseconds by which the merchant's clock is ahead of the real time. Pages show the merchant's time. */
  aheadMs: number;
}

/** The amount of a charge that an open dispute contests. */
export interface Contested {
  amount: number;
  createdAt: Date;
}

export function linkPageView(
  link: PaymentLink,
  beside: Beside & { checkoutId: string | null },
): LinkPageView {
  const { slug, amount, minAmount, maxAmount, payerName, expiresAt, uses, taken } = link;
  const status = linkStatusIn(link, beside);
  return {
    ...{ slug, amount, minAmount, maxAmount },
    ...{ status, state: status },
    isPayerKnown: payerName !== null,
    isJoinable: uses === 1 && taken > 0,
    checkoutId: beside.checkoutId,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...shopView(link, { ...beside, amount }),
  };
}

function linkStatusIn(link: PaymentLink, beside: Beside): LinkPageView['status'] {
  return linkStateOf(link, { ...beside, now: later(beside.now, beside.aheadMs) });
}

export function visitView(
  { checkout, link, charge }: Visit,
  beside: Beside & { dispute: Contested | null; unmatched: readonly UnmatchedSummary[] },
): VisitView {
  const { id, amount, payerDocument, cardFormUntil } = checkout;
  const { now, aheadMs } = beside;
  const status = checkoutStateOf(checkout, charge, now);
  const returnUrl = link.returnUrl === null ? null : new URL(link.returnUrl);
  returnUrl?.searchParams.set('checkout', id);
  return {
    ...{ id, slug: link.slug, amount },
    ...{ status, state: status },
    payerDocument:
      link.payerDocument === null ? maskedDocument(payerDocument) : hiddenDocument(payerDocument),
    cardFormUntil:
      isFormOpen(checkout, now) && cardFormUntil ? later(cardFormUntil, aheadMs).toISOString() : null,
    cardTriesLeft: triesLeft(checkout),
    returnUrl: returnUrl?.href ?? null,
    charge: charge && chargeOfVisit(charge, beside.dispute),
    declineReason: charge?.status === 'DECLINED' ? declined(charge.card?.declineReason ?? null).reason : null,
    unexpectedPayments: beside.unmatched.map(buyersUnexpectedPaymentView),
    linkStatus: linkStatusIn(link, beside),
    ...shopView(link, { ...beside, amount }),
  };
}

/**
 * Hides all digits and letters of the payer's document that the merchant set in the link. Anyone with the
 * link can begin a visit, and would otherwise see a part of the document.
 */
const hiddenDocument = (document: string) => maskedDocument(document).replace(/[0-9A-Z]/g, '*');

function chargeOfVisit(charge: Charge, dispute: Contested | null): NonNullable<VisitView['charge']> {
  const { id, paymentMethod, status, refund } = charge;
  const qrCode = status === 'PENDING' ? charge.qrCode : null;
  return {
    ...{ id, paymentMethod, status, qrCode },
    qrCodeBase64: qrCode === null ? null : qrImageDataUri(qrCode),
    expiresAt: charge.expiresAt?.toISOString() ?? null,
    paidAt: charge.paidAt?.toISOString() ?? null,
    endToEndId: charge.endToEndId,
    ...paidCardOf(charge),
    refundedAmount: refund?.amount ?? null,
    refundedAt: refund?.at.toISOString() ?? null,
    disputedAmount: dispute?.amount ?? null,
    disputedAt: dispute?.createdAt.toISOString() ?? null,
  };
}

function shopView(
  link: PaymentLink,
  { merchant, color, logo, providers, now, aheadMs, amount }: Beside & { amount: number | null },
) {
  const { environment, description } = link;
  const acquirer = hasCards(merchant, environment) ? providers.cards[environment]?.() : undefined;
  const isOffered = { PIX: providers.pix[environment] !== undefined, CARD: acquirer !== undefined };
  const methods = link.methods.filter((method) => isOffered[method]);
  const { maxInstallments } = merchant;
  const card =
    acquirer && methods.includes('CARD')
      ? { publicKey: acquirer.publicKey, tokenizeUrl: acquirer.tokenizeUrl, maxInstallments }
      : null;
  return {
    ...sellerView(merchant),
    ...{ checkoutColor: color, color, logo, description, environment, methods, card },
    installments: card && amount !== null ? installmentsOf(amount, maxInstallments) : null,
    serverTime: later(now, aheadMs).toISOString(),
  };
}
