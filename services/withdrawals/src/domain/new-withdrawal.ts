import type { MerchantSnapshot } from '@plataforma/events';
import { type Cents, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Target } from './destination.ts';
import { released, type Withdrawal } from './withdrawal.ts';

export interface Order {
  amount: Cents;
  source: 'MANUAL' | 'QR_CODE';
  externalId: string | null;
  destinationId: string | null;
  target: Target;
}

/** As it was asked for: with a saved destination, the target is its, or said once more. */
export interface OrderRequest extends Omit<Order, 'target'> {
  target: Target | null;
}

interface Terms {
  tenant: Tenant;
  merchant: MerchantSnapshot;
  /** The merchant's time, and by how much it is ahead of the real one. */
  now: Date;
  aheadMs: number;
  /** Above it two operators must approve. */
  fourEyesThreshold: Cents;
  /** When the merchant saved the payee, or first ordered to pay it. */
  payeeSeenAt: readonly Date[];
  canBeAskedFor: boolean;
}

/** A withdrawal as it is written down before the ledger is asked. */
export function newWithdrawal(order: Order, terms: Terms): Withdrawal {
  const { tenant, now } = terms;
  const { fee, netAmount } = amountsOf(order.amount, terms.merchant);
  return {
    id: newId(),
    merchantId: tenant.merchantId,
    environment: tenant.environment,
    externalId: order.externalId,
    amount: order.amount,
    fee,
    netAmount,
    status: 'DEBITING',
    target: order.target,
    destinationId: order.destinationId,
    source: order.source,
    canBeAskedFor: terms.canBeAskedFor,
    createdAt: now,
    approvalsNeeded: approvalsNeeded(order, terms),
    firstApprover: null,
    secondApprover: null,
    payableFrom: payableFrom(terms),
    startedAt: null,
    orderedFrom: null,
    acceptedAt: null,
    unconfirmed: null,
    providerTxId: null,
    payeeName: null,
    failureReason: null,
    failureDetail: null,
    rejectedReason: null,
    endedAt: null,
    sequence: 0,
    checks: 0,
    nextCheckAt: null,
    ...released,
  };
}

/** AMOUNT: the fee is a part of what is ordered. BALANCE: it is taken on top of it. */
function amountsOf(amount: Cents, { withdrawalFee: fee, withdrawalFeeMode }: MerchantSnapshot) {
  if (withdrawalFeeMode === 'BALANCE') return { fee, netAmount: amount };
  if (amount <= fee) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be more than ${fee}, the fee it bears`);
  }
  return { fee, netAmount: amount - fee };
}

/** In the sandbox a withdrawal to it waits for its merchant, who plays the operator. */
const HELD_KEY = 'hold@sandbox.test';

/** A bank account is paid by hand, so people look at it; so they do at what is above the limits. */
function approvalsNeeded(
  { amount, target }: Order,
  { tenant, merchant, fourEyesThreshold }: Terms,
): 0 | 1 | 2 {
  const isSandbox = tenant.environment === 'sandbox';
  if (isSandbox && target.type === 'PIX') return target.pixKey === HELD_KEY ? 1 : 0;
  if (amount > fourEyesThreshold) return 2;
  return target.type === 'PIX' && amount <= merchant.autoApproveLimit ? 0 : 1;
}

/** The sandbox has no cool-down before its clock was moved: without it a merchant would wait for hours. */
function payableFrom({ tenant, merchant, now, aheadMs, payeeSeenAt }: Terms): Date | null {
  const isFree = tenant.environment === 'sandbox' && aheadMs === 0;
  if (isFree || merchant.destinationCooldownHours === 0) return null;
  const seenAt = Math.min(now.getTime(), ...payeeSeenAt.map((at) => at.getTime()));
  const from = new Date(seenAt + merchant.destinationCooldownHours * 3_600_000);
  return from > now ? from : null;
}

/** Refuses an amount that brings what is ordered on its day, with itself, above the merchant's limit. */
export function demandWithinDay(ordered: Cents, amount: Cents, limit: Cents): void {
  if (ordered <= limit) return;
  const message = `the account may withdraw ${limit} a day (America/Sao_Paulo), of which ${ordered - amount} are ordered`;
  throw new Refusal('unprocessable', 'WITHDRAWAL_LIMIT_REACHED', message);
}

/** The same externalId names the same order only; of a saved destination its id, though it be deleted since. */
export function demandSameOrder(known: Withdrawal, order: OrderRequest): void {
  const isSame =
    known.amount === order.amount &&
    known.source === order.source &&
    known.destinationId === order.destinationId &&
    (order.target === null || isSameKey(known.target, order.target));
  if (isSame) return;
  const message = 'externalId: names a withdrawal with another amount, source or destination';
  throw new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}

/** Refuses two payees in one order. */
export function demandSameTarget(saved: Target, ordered: Target | null): void {
  if (ordered === null || isSameKey(saved, ordered)) return;
  throw new Refusal(
    'invalid',
    'VALIDATION_ERROR',
    'pixKey: is not that of the destination; send one of them',
  );
}

function isSameKey(known: Target, ordered: Target | null): boolean {
  if (known.type !== 'PIX' || ordered?.type !== 'PIX') return false;
  return known.pixKeyType === ordered.pixKeyType && known.pixKey === ordered.pixKey;
}
