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
import type { ShopAppearance } from '../checkouts/http/shop-appearance.ts';
import { cardNamesOf } from '../domain/announcements.ts';
import type { Charge, ChargeStatus } from '../domain/charge.ts';
import { failureReasonOf, type Refund, type RefundStatus } from '../domain/refund.ts';
import type { ChargeReturn } from '../store/charge-returns.ts';
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
    // Without a day of its own the money is there at once.
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

/** A line of a file: for people without the fee of a charge that nobody has paid, so that a column adds up. */
export function chargeInFile(charge: Charge, { locale }: { locale?: CsvLocale | undefined }) {
  const view = chargeInListView(charge);
  return locale && view.paidAt === null ? { ...view, feeAmount: null, netAmount: null } : view;
}

/** Returns the stop that delays a refund; null without one. */
export type Waits = (refund: { status: string; createdAt: Date }) => WaitingFor | null;

/** Data of a charge outside its row. */
interface Beside {
  returns: readonly ChargeReturn[];
  disputeId: string | null;
  waits: Waits;
  /** The address of the installation’s checkout; null without one. */
  checkoutUrl: string | null;
}

/** For a charge that was just stored. */
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

/** One of a merchant's list. */
export function refundView(refund: Refund): RefundView {
  const { chargeId, endedAt, acceptedAt } = refund;
  return { ...endOf({ ...refund, endedAt: endedAt ?? acceptedAt }), chargeId };
}

function endOf(one: Omit<ChargeReturn, 'origin'>) {
  const { id, amount, reason, createdAt, endedAt, reference } = one;
  const status = shownReturns[one.status];
  return {
    ...{ id, amount, reason, status },
    requestedAt: createdAt.toISOString(),
    refundedAt: status === 'REFUNDED' ? (endedAt?.toISOString() ?? null) : null,
    failureReason: status === 'FAILED' ? failureReasonOf(one) : null,
    // A refund that failed and moved nevertheless is for operators to settle.
    endToEndId: status === 'FAILED' ? null : reference,
  };
}

type RefundUnderWay = Pick<Refund, 'id' | 'amount' | 'createdAt'> & { status: string };

/** The response to a refund request while the refund is under way. */
export function refundingView({ id, status }: Charge, refund: RefundUnderWay, waits: Waits) {
  const { id: refundId, amount, createdAt } = refund;
  const shown = { id: refundId, status: 'PROCESSING' as const, amount, requestedAt: createdAt.toISOString() };
  return { id, status: shownStatus(status), refund: { ...shown, waitingFor: waits(refund) } };
}

interface BesideCheckout extends ShopAppearance {
  unmatched: readonly UnmatchedSummary[];
  /** While the charge is disputed. */
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
    merchantName: merchant.name,
    checkoutColor: color,
    logo,
    environment: charge.environment,
    paidAt: charge.paidAt?.toISOString() ?? null,
    endToEndId: charge.endToEndId,
    refundedAmount: refund?.amount ?? null,
    refundedAt: refund?.at.toISOString() ?? null,
    disputedAmount: dispute?.amount ?? null,
    disputedAt: dispute?.createdAt.toISOString() ?? null,
    unexpectedPayments: unmatched.map(buyersUnexpectedPaymentView),
    serverTime: now.toISOString(),
    ...(isPayable ? { qrCode, qrCodeBase64: qrImageDataUri(qrCode) } : {}),
  };
}

/** The response to a refund request when the payer has the money. */
export function refundedView({ id, status, ...charge }: Charge, order: Omit<Refund, 'status' | 'attempts'>) {
  if (!charge.refund) throw new Error('a charge was refunded and does not know it');
  const { amount: refundedAmount, at: endedAt, reason: refundReason } = charge.refund;
  const shown = { id, status: shownStatus(status), refundedAmount, refundedAt: endedAt.toISOString() };
  const refund = { ...endOf({ ...order, status: 'DONE', endedAt }), status: 'REFUNDED' as const };
  return { ...shown, refundReason, refund };
}

/** No reading finds an attempt that was declined. */
export function shownStatus(status: ChargeStatus): Exclude<ChargeStatus, 'DECLINED'> {
  if (status === 'DECLINED') throw new Error('an attempt that was declined is shown to nobody');
  return status;
}

/** Money that came for a charge and paid nothing, as its buyer reads of it. */
export function buyersUnexpectedPaymentView({
  amount,
  status,
  paidAt,
  returnedAt,
}: UnmatchedSummary): BuyersUnexpectedPaymentView {
  return { amount, status, paidAt: paidAt.toISOString(), returnedAt: returnedAt?.toISOString() ?? null };
}
