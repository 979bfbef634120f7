import type { MerchantSnapshot } from '@plataforma/events';
import { type Cents, newId, Refusal, type Tenant } from '@plataforma/kernel';
import type { Payee } from './destination.ts';
import { released, type Withdrawal } from './withdrawal.ts';

export interface CompleteRequest {
  amount: Cents;
  source: 'MANUAL' | 'QR_CODE';
  externalId: string | null;
  destinationId: string | null;
  payee: Payee;
}

/** A merchant's request. It may name a saved destination instead of a payee. */
export interface WithdrawalRequest extends Omit<CompleteRequest, 'payee'> {
  payee: Payee | null;
}

interface WithdrawalContext {
  tenant: Tenant;
  merchant: MerchantSnapshot;
  /** The merchant's time, which is `aheadMs` ahead of the real time. */
  now: Date;
  aheadMs: number;
  /** Amounts in cents above it need two operators. */
  fourEyesThreshold: Cents;
  /** The times when the merchant saved the payee, or first ordered a withdrawal to it. */
  payeeKnownSince: readonly Date[];
  isRepeatable: boolean;
}

/**
 * Builds a withdrawal as it is stored before the ledger's debit. Throws VALIDATION_ERROR if the fee takes all
 * of it.
 */
export function newWithdrawal(request: CompleteRequest, context: WithdrawalContext): Withdrawal {
  const { tenant, now } = context;
  const { fee, netAmount } = amountsOf(request.amount, context.merchant);
  return {
    id: newId(),
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
    createdAt: now,
    approvalsNeeded: approvalsNeeded(request, context),
    firstApprover: null,
    secondApprover: null,
    payableFrom: payableFrom(context),
    startedAt: null,
    payingPixKey: null,
    acceptedAt: null,
    unconfirmed: null,
    providerTxId: null,
    payeeName: null,
    failureReason: null,
    failureDetail: null,
    rejectedReason: null,
    endedAt: null,
    sequence: 0,
    attempts: 0,
    dueAt: null,
    ...released,
  };
}

/** AMOUNT takes the fee from the requested amount. BALANCE debits it in addition. */
function amountsOf(amount: Cents, { withdrawalFee: fee, withdrawalFeeMode }: MerchantSnapshot) {
  if (withdrawalFeeMode === 'BALANCE') return { fee, netAmount: amount };
  if (amount <= fee) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be more than ${fee}, the fee it bears`);
  }
  return { fee, netAmount: amount - fee };
}

/** A sandbox withdrawal to this key waits for an approval, which the merchant itself gives. */
const HELD_KEY = 'hold@sandbox.test';

/** Requires an operator for bank accounts, which operators pay, and for amounts above the limits. */
function approvalsNeeded(
  { amount, payee }: CompleteRequest,
  { tenant, merchant, fourEyesThreshold }: WithdrawalContext,
): 0 | 1 | 2 {
  const isSandbox = tenant.environment === 'sandbox';
  if (isSandbox && payee.type === 'PIX') return payee.pixKey === HELD_KEY ? 1 : 0;
  if (amount > fourEyesThreshold) return 2;
  return payee.type === 'PIX' && amount <= merchant.autoApproveLimit ? 0 : 1;
}

/** Skips the cool-down in a sandbox whose clock was not moved, because merchants would wait for hours. */
function payableFrom({ tenant, merchant, now, aheadMs, payeeKnownSince }: WithdrawalContext): Date | null {
  const isFree = tenant.environment === 'sandbox' && aheadMs === 0;
  if (isFree || merchant.destinationCooldownHours === 0) return null;
  const firstUsedAt = Math.min(now.getTime(), ...payeeKnownSince.map((at) => at.getTime()));
  const from = new Date(firstUsedAt + merchant.destinationCooldownHours * 3_600_000);
  return from > now ? from : null;
}

/**
 * Throws WITHDRAWAL_LIMIT_REACHED if the day's sum, which includes the new amount, exceeds the merchant's
 * limit.
 */
export function requireWithinDay(requested: Cents, amount: Cents, limit: Cents): void {
  if (requested <= limit) return;
  const message = `the account may withdraw ${limit} a day (America/Sao_Paulo), of which ${requested - amount} are ordered`;
  throw new Refusal('unprocessable', 'WITHDRAWAL_LIMIT_REACHED', message);
}

/**
 * Throws EXTERNAL_ID_CONFLICT if the externalId was used for another request. Compares destinations by id,
 * because a saved one may be deleted.
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

/** Throws VALIDATION_ERROR if a request names a destination and the Pix key of another one. */
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
