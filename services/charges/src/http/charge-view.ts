import { maskedDocument, qrImageDataUri } from '@plataforma/brcode';
import type {
  BuyersUnexpectedPaymentView,
  ChargeInListView,
  ChargeView,
  CheckoutView,
  CsvLocale,
  RefundView,
  WaitingFor,
} from '@plataforma/contracts';
import { type ShopAppearance, sellerView } from '../checkouts/http/shop-appearance.ts';
import { cardNamesOf } from '../domain/announcements.ts';
import type { Charge, ChargeStatus } from '../domain/charge.ts';
import { failureReasonOf, type Refund, type RefundStatus } from '../domain/refund.ts';
import type { ChargeReturn } from '../store/charge-returns.ts';
import type { ListedRefund } from '../store/own-lists.ts';
import type { UnmatchedSummary } from '../store/unmatched-of-charge.ts';

export function chargeInListView(charge: Charge): ChargeInListView {
  const { card, refund } = charge;
  return {
    id: charge.id,
    txid: charge.txid,
    paymentMethod: charge.paymentMethod,
    amount: charge.amount,
    feeAmount: charge.feeAmount,
    netAmount: charge.netAmount,
    status: shownStatus(charge.status),
    expiresAt: charge.expiresAt?.toISOString() ?? null,
    createdAt: charge.createdAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    // Without a settlement time, the money is available as soon as the charge is paid.
    settlesAt: (charge.settlesAt ?? charge.paidAt)?.toISOString() ?? null,
    environment: charge.environment,
    externalId: charge.externalId,
    payerName: charge.payerName,
    payerDocument: maskedDocument(charge.payerDocument),
    payerEmail: charge.payerEmail,
    description: charge.description,
    endToEndId: charge.endToEndId,
    ...cardNamesOf(card),
    cardLastDigits: card?.lastDigits ?? null,
    refundedAmount: refund?.amount ?? null,
    refundedAt: refund?.at.toISOString() ?? null,
    refundReason: refund?.reason ?? null,
    paymentLinkId: charge.paymentLinkId,
    checkoutId: charge.checkoutId,
  };
}

/**
 * Returns a line of a CSV file. In a localised file, an unpaid charge has no fee and the net amount excludes
 * refunds, because people sum the columns.
 */
export function chargeInFile(charge: Charge, { locale }: { locale?: CsvLocale | undefined }) {
  const view = chargeInListView(charge);
  if (!locale) return view;
  if (view.paidAt === null) return { ...view, feeAmount: null, netAmount: null };
  const { status, amount, netAmount, refundedAmount } = view;
  const isPart = status === 'REFUNDED' && refundedAmount !== null && refundedAmount < amount;
  const refunded = isPart ? { status: 'PARTLY_REFUNDED' } : {};
  return { ...view, ...refunded, netAmount: netAmount - (refundedAmount ?? 0) };
}

/** A function that returns the operator's stop that delays a refund, or null. */
export type Waits = (refund: { status: string; createdAt: Date }) => WaitingFor | null;

/** Data of a charge that is not in the charge's row. */
interface Beside {
  returns: readonly ChargeReturn[];
  disputeId: string | null;
  waits: Waits;
  /** The URL of the installation's checkout pages; null when the installation has no such pages. */
  checkoutUrl: string | null;
}

/** The additional data of a charge that was just created. */
export const nothingBeside: Omit<Beside, 'checkoutUrl'> = { returns: [], disputeId: null, waits: () => null };

export function chargeView(charge: Charge, { returns, disputeId, waits, checkoutUrl }: Beside): ChargeView {
  const { qrCode, metadata } = charge;
  return {
    ...chargeInListView(charge),
    qrCode,
    qrCodeBase64: qrCode === null ? null : qrImageDataUri(qrCode),
    refunds: returns.map((one) => returnView(one, waits)),
    disputeId,
    checkoutUrl: checkoutUrl && new URL(`/pay/${charge.id}`, checkoutUrl).href,
    metadata,
  };
}

const shownReturns = {
  REQUESTED: 'PROCESSING',
  DEBITED: 'PROCESSING',
  ACCEPTED: 'PROCESSING',
  DONE: 'REFUNDED',
  REFUSED: 'FAILED',
} as const satisfies Record<RefundStatus, string>;

function returnView(one: ChargeReturn, waits: Waits): ChargeView['refunds'][number] {
  return { ...endOf(one), origin: one.origin, waitingFor: waits(one) };
}

export function refundView(refund: ListedRefund): RefundView {
  const { chargeId, chargeAmount, endedAt, acceptedAt, externalId, paymentMethod, payerName } = refund;
  const ofCharge = { chargeId, chargeAmount, externalId, paymentMethod, payerName };
  return { ...endOf({ ...refund, endedAt: endedAt ?? acceptedAt }), ...ofCharge };
}

function endOf(one: Omit<ChargeReturn, 'origin'>) {
  const { id, amount, reason, createdAt, endedAt, reference } = one;
  const status = shownReturns[one.status];
  return {
    ...{ id, amount, reason, status },
    requestedAt: createdAt.toISOString(),
    refundedAt: status === 'REFUNDED' ? (endedAt?.toISOString() ?? null) : null,
    failureReason: status === 'FAILED' ? failureReasonOf(one) : null,
    // A failed refund may have moved money nevertheless. Only operators see the id of its Pix, because they
    // resolve this case.
    endToEndId: status === 'FAILED' ? null : reference,
  };
}

type RefundUnderWay = Pick<Refund, 'id' | 'amount' | 'createdAt'> & { status: string };

/** Returns the response to a refund request while the refund is pending. */
export function refundingView({ id, status }: Charge, refund: RefundUnderWay, waits: Waits) {
  const { id: refundId, amount, createdAt } = refund;
  const shown = { id: refundId, status: 'PROCESSING' as const, amount, requestedAt: createdAt.toISOString() };
  return { id, status: shownStatus(status), refund: { ...shown, waitingFor: waits(refund) } };
}

interface BesideCheckout extends ShopAppearance {
  unmatched: readonly UnmatchedSummary[];
  dispute: { amount: number; createdAt: Date } | null;
  now: Date;
}

export function checkoutView(charge: Charge, beside: BesideCheckout): CheckoutView {
  const { merchant, color, logo, dispute, unmatched, now } = beside;
  const { qrCode, refund } = charge;
  const isPayable = charge.status === 'PENDING' && qrCode !== null;
  return {
    id: charge.id,
    amount: charge.amount,
    status: shownStatus(charge.status),
    description: charge.description,
    expiresAt: charge.expiresAt?.toISOString() ?? null,
    paymentMethod: charge.paymentMethod,
    ...sellerView(merchant),
    checkoutColor: color,
    logo,
    environment: charge.environment,
    paidAt: charge.paidAt?.toISOString() ?? null,
    endToEndId: charge.endToEndId,
    refundedAmount: refund?.amount ?? null,
    refundedAt: refund?.at.toISOString() ?? null,
    disputedAmount: dispute?.amount ?? null,
    disputedAt: dispute?.createdAt.toISOString() ?? null,
    ...paidCardOf(charge),
    unexpectedPayments: unmatched.map(buyersUnexpectedPaymentView),
    serverTime: now.toISOString(),
    ...(isPayable ? { qrCode, qrCodeBase64: qrImageDataUri(qrCode) } : {}),
  };
}

/** Returns the card fields of a buyer's receipt. All fields are null for a Pix. */
export function paidCardOf({ card }: Charge) {
  return {
    installments: card?.installments ?? null,
    cardBrand: card?.brand ?? null,
    cardLastDigits: card?.lastDigits ?? null,
  };
}

/** Returns the response to a refund request when the payer has the money. */
export function refundedView({ id, status, ...charge }: Charge, order: Omit<Refund, 'status' | 'attempts'>) {
  if (!charge.refund) throw new Error('a refunded charge has no refund');
  const { amount: refundedAmount, at: endedAt, reason: refundReason } = charge.refund;
  const shown = { id, status: shownStatus(status), refundedAmount, refundedAt: endedAt.toISOString() };
  const refund = { ...endOf({ ...order, status: 'DONE', endedAt }), status: 'REFUNDED' as const };
  return { ...shown, refundReason, refund };
}

/**
 * Returns the status that the API shows. Throws for DECLINED, because no query of the API returns a declined
 * attempt.
 */
export function shownStatus(status: ChargeStatus): Exclude<ChargeStatus, 'DECLINED'> {
  if (status === 'DECLINED') throw new Error('a declined attempt has no page');
  return status;
}

/** Returns an unmatched payment as its buyer sees it. */
export function buyersUnexpectedPaymentView({
  amount,
  status,
  paidAt,
  returnedAt,
}: UnmatchedSummary): BuyersUnexpectedPaymentView {
  return { amount, status, paidAt: paidAt.toISOString(), returnedAt: returnedAt?.toISOString() ?? null };
}
