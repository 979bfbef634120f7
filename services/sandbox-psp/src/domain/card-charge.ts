import { type Cents, next, Refusal, requireNext, type Table } from '@plataforma/kernel';
import { CardProblem } from './card-problem.ts';
import { type Card, newCardApiId } from './card-token.ts';
import { randomDigits } from './random-text.ts';
import { endOfAmount } from './refund.ts';
import type { CardOutcome } from './test-card.ts';

export type CardChargeStatus = 'processing' | 'paid' | 'failed' | 'canceled' | 'chargedback';
type Step = 'approve' | 'decline' | 'refund' | 'cancel' | 'chargeBack' | 'undoChargeback';

/** The statuses of a charge in Pagar.me v5. A charge becomes canceled when its whole amount is refunded. */
export const cardChargeTransitions: Table<CardChargeStatus, Step> = {
  processing: { approve: 'paid', decline: 'failed' },
  paid: { refund: 'paid', cancel: 'canceled', chargeBack: 'chargedback' },
  failed: {},
  canceled: {},
  chargedback: { undoChargeback: 'paid' },
};

/**
 * An order together with its charge and its card. Unlike in Pagar.me, an order has exactly one charge and a
 * charge exactly one card.
 */
export interface CardCharge {
  id: string;
  orderId: string;
  clientId: string;
  /** The id that the receiver, a client of this provider, chose for the order. */
  code: string;
  /**
   * The idempotency key of the request that created the charge; null if the request had no key. A repeated
   * request with this key returns this charge.
   */
  idempotencyKey: string | null;
  amount: Cents;
  installments: number;
  card: Card;
  transaction: { id: string; tid: string; nsu: string; authCode: string };
  status: CardChargeStatus;
  canceledAmount: Cents;
  refusesRefunds: boolean;
  createdAt: Date;
  paidAt: Date | null;
  canceledAt: Date | null;
  chargeback: { amount: Cents; reason: string; createdAt: Date } | null;
}

type OrderField = 'clientId' | 'code' | 'idempotencyKey' | 'amount' | 'installments' | 'card' | 'createdAt';
type CardOrder = Pick<CardCharge, OrderField>;

const stepOf: Record<CardOutcome, 'approve' | 'decline'> = {
  APPROVED: 'approve',
  LATE_APPROVED: 'approve',
  INSUFFICIENT_FUNDS: 'decline',
  EXPIRED_CARD: 'decline',
  SUSPECTED_FRAUD: 'decline',
  LATE_DECLINED: 'decline',
};

/**
 * Creates the charge of an order. The charge is paid or failed at once, except with a test card whose result
 * comes later.
 */
export function newCardCharge(order: CardOrder): CardCharge {
  const charge: CardCharge = {
    ...order,
    id: newCardApiId('ch'),
    orderId: newCardApiId('or'),
    transaction: {
      id: newCardApiId('tran'),
      tid: randomDigits(20),
      nsu: randomDigits(9),
      authCode: randomDigits(6),
    },
    status: 'processing',
    canceledAmount: 0,
    refusesRefunds: false,
    paidAt: null,
    canceledAt: null,
    chargeback: null,
  };
  return isLate(order.card) ? charge : endCardCharge(charge, order.createdAt);
}

export function isLate({ outcome }: Card): boolean {
  return outcome === 'LATE_APPROVED' || outcome === 'LATE_DECLINED';
}

export function endCardCharge(charge: CardCharge, now: Date): CardCharge {
  const step = stepOf[charge.card.outcome];
  const status = next(cardChargeTransitions, charge.status, step);
  if (!status) throw new Error('a card charge ended twice');
  return { ...charge, status, paidAt: step === 'approve' ? now : null };
}

/**
 * Returns the charge after a refund of `amount`. The default is the amount that is not refunded yet. Throws
 * `unfit` if the charge's status, a magic amount or the refundable amount forbids the refund.
 */
export function refundCardCharge(charge: CardCharge, amount: Cents | undefined, now: Date): CardCharge {
  const left = charge.amount - charge.canceledAmount;
  const returned = amount ?? left;
  const status = next(cardChargeTransitions, charge.status, returned === left ? 'cancel' : 'refund');
  if (!status) throw new CardProblem('unfit', `This charge can not be canceled: it is ${charge.status}.`);
  if (charge.refusesRefunds || endOfAmount(returned).isRefused)
    throw new CardProblem('unfit', 'This charge can not be canceled.');
  if (returned > left)
    throw new CardProblem('unfit', 'The amount is greater than what is left of the charge.');
  return { ...charge, status, canceledAmount: charge.canceledAmount + returned, canceledAt: now };
}

/** Returns the charge after a chargeback of `amount`. The default is the amount that is not refunded. */
export function chargeBack(
  charge: CardCharge,
  { amount, reason, now }: { amount: Cents | undefined; reason: string; now: Date },
): CardCharge {
  const left = charge.amount - charge.canceledAmount;
  const disputed = amount ?? left;
  const status = requireNext(cardChargeTransitions, { noun: 'charge', status: charge.status }, 'chargeBack');
  if (disputed > left) throw new Refusal('conflict', 'INVALID_STATE', 'the charge has less than this left');
  return { ...charge, status, chargeback: { amount: disputed, reason, createdAt: now } };
}

/** Returns the charge without its chargeback, or unchanged if the charge has no chargeback. */
export function undoChargeback(charge: CardCharge): CardCharge {
  const status = next(cardChargeTransitions, charge.status, 'undoChargeback');
  return status ? { ...charge, status, chargeback: null } : charge;
}

/**
 * Returns the one charge that was paid, among the charges with the same order code. Throws if no charge or
 * several charges were paid.
 */
export function chargeThatPaid(charges: readonly CardCharge[]): CardCharge {
  if (charges.length === 0) throw new Refusal('missing', 'NOT_FOUND', 'there is no order with this code');
  const [paid, ...others] = charges.filter(({ paidAt }) => paidAt !== null);
  if (!paid) throw new Refusal('conflict', 'INVALID_STATE', 'no order with this code is paid');
  if (others.length > 0)
    throw new Refusal('conflict', 'INVALID_STATE', 'several orders with this code are paid');
  return paid;
}
