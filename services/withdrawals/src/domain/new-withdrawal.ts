import type { MerchantSnapshot } from '@plataforma/events';
import { type Cents, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Payee } from './destination.ts';
import { limitsIn } from './merchant.ts';
import { released, type Withdrawal } from './withdrawal.ts';

export interface CompleteRequest {
  amount: Cents;
  source: 'MANUAL' | 'QR_CODE';
  externalId: string | null;
  destinationId: string | null;
  payee: Payee;
  /** The order that the gateway has signed. Null for a quote, and if the gateway sent no token. */
  order: { id: string; token: string; body: string } | null;
}

/** A merchant's request for a withdrawal. It contains the payee or the id of a saved destination. */
export interface WithdrawalRequest extends Omit<CompleteRequest, 'payee'> {
  payee: Payee | null;
}

interface WithdrawalContext {
  tenant: Tenant;
  merchant: MerchantSnapshot;
  /** The time of the merchant's clock. A sandbox clock can be `aheadMs` ahead of the real time. */
  now: Date;
  aheadMs: number;
  /** A withdrawal of more than this amount in cents needs the approval of two operators. */
  fourEyesThreshold: Cents;
  /**
   * The creation times of the named destination and of the first withdrawal or destination with the same Pix
   * key. Empty for a new payee.
   */
  payeeKnownSince: readonly Date[];
  hasNewPayee: boolean;
  isRepeatable: boolean;
}

/**
 * Builds a withdrawal in the state before the ledger's debit. Throws VALIDATION_ERROR if the fee is not less
 * than the amount.
 */
export function newWithdrawal(request: CompleteRequest, context: WithdrawalContext): Withdrawal {
  const { tenant, now } = context;
  const { fee, netAmount } = amountsOf(request.amount, context.merchant);
  return {
    id: request.order?.id ?? newId(),
    merchantId: tenant.merchantId,
    environment: tenant.environment,
    externalId: request.externalId,
    amount: request.amount,
    fee,
    netAmount,
    status: 'DEBITING',
    payee: request.payee,
    destinationId: request.destinationId,
    source: request.source,
    isRepeatable: context.isRepeatable,
    hasNewPayee: context.hasNewPayee,
    createdAt: now,
    orderToken: request.order?.token ?? null,
    orderBody: request.order?.body ?? null,
    approvalsNeeded: approvalsNeeded(request, context),
    ...{ approvalReason: null, firstApprover: null, secondApprover: null },
    ...{ firstApproval: null, secondApproval: null },
    payableFrom: payableFrom(context),
    ...{ startedAt: null, payingPixKey: null, acceptedAt: null, unconfirmed: null, providerTxId: null },
    ...{ payeeName: null, payeeDocument: null, endedAt: null },
    ...{ failureReason: null, failureDetail: null, rejectedReason: null },
    sequence: 0,
    attempts: 0,
    dueAt: null,
    seal: null,
    ...released,
  };
}

/**
 * With the fee mode AMOUNT the payee gets the requested amount less the fee. With BALANCE the merchant pays
 * the fee in addition.
 */
function amountsOf(amount: Cents, { withdrawalFee: fee, withdrawalFeeMode }: MerchantSnapshot) {
  if (withdrawalFeeMode === 'BALANCE') return { fee, netAmount: amount };
  if (amount <= fee) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be more than ${fee}, the fee it bears`);
  }
  return { fee, netAmount: amount - fee };
}

/**
 * A sandbox withdrawal to this Pix key waits for an approval. The merchant gives the approval through the
 * sandbox API.
 */
const HELD_KEY = 'hold@sandbox.test';

/**
 * Returns how many operators must approve: two for an amount above `fourEyesThreshold`, one for a bank
 * transfer or an amount above the merchant's limit. A sandbox Pix needs no approval, except to HELD_KEY. A
 * daily limit may require an approval as well (`withApprovalOfDay`).
 */
function approvalsNeeded(
  { amount, payee }: CompleteRequest,
  { tenant, merchant, fourEyesThreshold }: WithdrawalContext,
): 0 | 1 | 2 {
  const isSandbox = tenant.environment === 'sandbox';
  if (isSandbox && payee.type === 'PIX') return payee.pixKey === HELD_KEY ? 1 : 0;
  if (amount > fourEyesThreshold) return 2;
  return payee.type === 'PIX' && amount <= merchant.autoApproveLimit ? 0 : 1;
}

/**
 * Returns the end of the payee's cool-down, or null. A sandbox whose clock was not moved has no cool-down,
 * because the merchant would have to wait for hours of real time.
 */
function payableFrom({ tenant, merchant, now, aheadMs, payeeKnownSince }: WithdrawalContext): Date | null {
  const isFree = tenant.environment === 'sandbox' && aheadMs === 0;
  const { destinationCooldownHours } = limitsIn(tenant.environment, merchant);
  if (isFree || destinationCooldownHours === 0) return null;
  const firstUsedAt = Math.min(now.getTime(), ...payeeKnownSince.map((at) => at.getTime()));
  const from = new Date(firstUsedAt + destinationCooldownHours * 3_600_000);
  return from > now ? from : null;
}

/**
 * Throws EXTERNAL_ID_CONFLICT if an earlier withdrawal has the externalId but other data. Compares
 * destinations by id, because the saved destination may be deleted.
 */
export function requireSameRequest(existing: Withdrawal, request: WithdrawalRequest): void {
  const isSame =
    existing.amount === request.amount &&
    existing.source === request.source &&
    existing.destinationId === request.destinationId &&
    (request.payee === null || isSameKey(existing.payee, request.payee));
  if (isSame) return;
  const message = 'externalId: names a withdrawal with another amount, source or destination';
  throw new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}

/**
 * Throws VALIDATION_ERROR if the request has both a destination and a Pix key, and the key is not the
 * destination's.
 */
export function requireSamePayee(saved: Payee, requested: Payee | null): void {
  if (requested === null || isSameKey(saved, requested)) return;
  throw new Refusal(
    'invalid',
    'VALIDATION_ERROR',
    'pixKey: is not that of the destination; send one of them',
  );
}

function isSameKey(savedPayee: Payee, requested: Payee | null): boolean {
  if (savedPayee.type !== 'PIX' || requested?.type !== 'PIX') return false;
  return savedPayee.pixKeyType === requested.pixKeyType && savedPayee.pixKey === requested.pixKey;
}
