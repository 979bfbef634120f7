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

/** A merchant's request; with a saved destination it may lack the payee. */
export interface WithdrawalRequest extends Omit<CompleteRequest, 'payee'> {
  payee: Payee | null;
}

interface WithdrawalContext {
  tenant: Tenant;
  merchant: MerchantSnapshot;
  /** The merchant's time, and by how much it is ahead of the real one. */
  now: Date;
  aheadMs: number;
  /** Above it two operators must approve. */
  fourEyesThreshold: Cents;
  /** When the merchant saved the payee, or first requested to pay it. */
  payeeKnownSince: readonly Date[];
  isRepeatable: boolean;
}

/** Builds a withdrawal as it is stored before the ledger's debit. */
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

/** AMOUNT: the fee is a part of the requested amount. BALANCE: it is taken on top of it. */
function amountsOf(amount: Cents, { withdrawalFee: fee, withdrawalFeeMode }: MerchantSnapshot) {
  if (withdrawalFeeMode === 'BALANCE') return { fee, netAmount: amount };
  if (amount <= fee) {
    throw new Refusal('invalid', 'VALIDATION_ERROR', `amount: must be more than ${fee}, the fee it bears`);
  }
  return { fee, netAmount: amount - fee };
}

/** In the sandbox a withdrawal to it waits for its merchant, who plays the operator. */
const HELD_KEY = 'hold@sandbox.test';

/** Operators approve bank accounts, which people pay, and amounts above the limits. */
function approvalsNeeded(
  { amount, payee }: CompleteRequest,
  { tenant, merchant, fourEyesThreshold }: WithdrawalContext,
): 0 | 1 | 2 {
  const isSandbox = tenant.environment === 'sandbox';
  if (isSandbox && payee.type === 'PIX') return payee.pixKey === HELD_KEY ? 1 : 0;
  if (amount > fourEyesThreshold) return 2;
  return payee.type === 'PIX' && amount <= merchant.autoApproveLimit ? 0 : 1;
}

/** The sandbox has no cool-down before its clock was moved: without it a merchant would wait for hours. */
function payableFrom({ tenant, merchant, now, aheadMs, payeeKnownSince }: WithdrawalContext): Date | null {
  const isFree = tenant.environment === 'sandbox' && aheadMs === 0;
  if (isFree || merchant.destinationCooldownHours === 0) return null;
  const firstUsedAt = Math.min(now.getTime(), ...payeeKnownSince.map((at) => at.getTime()));
  const from = new Date(firstUsedAt + merchant.destinationCooldownHours * 3_600_000);
  return from > now ? from : null;
}

/** Refuses an amount that brings the sum of its day, itself included, above the merchant's limit. */
export function requireWithinDay(requested: Cents, amount: Cents, limit: Cents): void {
  if (requested <= limit) return;
  const message = `the account may withdraw ${limit} a day (America/Sao_Paulo), of which ${requested - amount} are ordered`;
  throw new Refusal('unprocessable', 'WITHDRAWAL_LIMIT_REACHED', message);
}

/** Refuses another request under a used externalId. Compares saved destinations by id, as they may be deleted. */
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

/** Refuses a destination and another Pix key in one request. */
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
