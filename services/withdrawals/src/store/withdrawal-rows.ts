import type { PixKeyType } from '@plataforma/brcode';
import type { FailureReason } from '@plataforma/contracts';
import type { Environment } from '@plataforma/kernel';
import { z } from 'zod';
import type { Target } from '../domain/destination.ts';
import { methodOf, type Withdrawal, type WithdrawalStatus } from '../domain/withdrawal.ts';

/** Named one by one: a column that a newer release adds must not change what a prepared statement answers. */
export const WITHDRAWAL_COLUMNS = [
  'id',
  'merchant_id',
  'environment',
  'external_id',
  'amount_cents',
  'fee_cents',
  'net_cents',
  'status',
  'method',
  'pix_key',
  'pix_key_type',
  'bank_account',
  'destination_id',
  'source',
  'can_be_asked_for',
  'created_at',
  'approvals_needed',
  'first_approver',
  'second_approver',
  'payable_from',
  'started_at',
  'ordered_from',
  'accepted_at',
  'doubt_reason',
  'doubted_at',
  'provider_tx_id',
  'failure_reason',
  'rejected_reason',
  'ended_at',
  'sequence',
  'checks',
  'next_check_at',
  'lease_token',
  'lease_until',
] as const;

export interface WithdrawalRow {
  id: string;
  merchant_id: string;
  environment: Environment;
  external_id: string | null;
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  status: WithdrawalStatus;
  method: 'PIX' | 'TED';
  pix_key: string | null;
  pix_key_type: PixKeyType | null;
  bank_account: unknown;
  destination_id: string | null;
  source: 'MANUAL' | 'QR_CODE';
  can_be_asked_for: boolean;
  created_at: Date;
  approvals_needed: 0 | 1 | 2;
  first_approver: string | null;
  second_approver: string | null;
  payable_from: Date | null;
  started_at: Date | null;
  ordered_from: string | null;
  accepted_at: Date | null;
  doubt_reason: FailureReason | null;
  doubted_at: Date | null;
  provider_tx_id: string | null;
  failure_reason: FailureReason | null;
  rejected_reason: string | null;
  ended_at: Date | null;
  sequence: number;
  checks: number;
  next_check_at: Date | null;
  lease_token: string | null;
  lease_until: Date | null;
  [column: string]: unknown;
}

/** In the order of WITHDRAWAL_COLUMNS. */
export function valuesOf(withdrawal: Withdrawal): unknown[] {
  const { target, unconfirmed } = withdrawal;
  const isPix = target.type === 'PIX';
  return [
    withdrawal.id,
    withdrawal.merchantId,
    withdrawal.environment,
    withdrawal.externalId,
    withdrawal.amount,
    withdrawal.fee,
    withdrawal.netAmount,
    withdrawal.status,
    methodOf(withdrawal),
    isPix ? target.pixKey : null,
    isPix ? target.pixKeyType : null,
    isPix ? null : JSON.stringify(bankAccount.parse(target)),
    withdrawal.destinationId,
    withdrawal.source,
    withdrawal.canBeAskedFor,
    withdrawal.createdAt,
    withdrawal.approvalsNeeded,
    withdrawal.firstApprover,
    withdrawal.secondApprover,
    withdrawal.payableFrom,
    withdrawal.startedAt,
    withdrawal.orderedFrom,
    withdrawal.acceptedAt,
    unconfirmed?.reason ?? null,
    unconfirmed?.since ?? null,
    withdrawal.providerTxId,
    withdrawal.failureReason,
    withdrawal.rejectedReason,
    withdrawal.endedAt,
    withdrawal.sequence,
    withdrawal.checks,
    withdrawal.nextCheckAt,
    withdrawal.leaseToken,
    withdrawal.leaseUntil,
  ];
}

const bankAccount = z.object({
  bankCode: z.string(),
  branch: z.string(),
  account: z.string(),
  accountType: z.enum(['CHECKING', 'SAVINGS']),
  holderName: z.string(),
  holderDocument: z.string(),
});

export function withdrawalOf(row: WithdrawalRow): Withdrawal {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    externalId: row.external_id,
    amount: row.amount_cents,
    fee: row.fee_cents,
    netAmount: row.net_cents,
    status: row.status,
    target: targetOf(row),
    destinationId: row.destination_id,
    source: row.source,
    canBeAskedFor: row.can_be_asked_for,
    createdAt: row.created_at,
    approvalsNeeded: row.approvals_needed,
    firstApprover: row.first_approver,
    secondApprover: row.second_approver,
    payableFrom: row.payable_from,
    startedAt: row.started_at,
    orderedFrom: row.ordered_from,
    acceptedAt: row.accepted_at,
    unconfirmed:
      row.doubt_reason && row.doubted_at ? { reason: row.doubt_reason, since: row.doubted_at } : null,
    providerTxId: row.provider_tx_id,
    failureReason: row.failure_reason,
    rejectedReason: row.rejected_reason,
    endedAt: row.ended_at,
    sequence: row.sequence,
    checks: row.checks,
    nextCheckAt: row.next_check_at,
    leaseToken: row.lease_token,
    leaseUntil: row.lease_until,
  };
}

function targetOf({
  pix_key: pixKey,
  pix_key_type: pixKeyType,
  bank_account: account,
}: WithdrawalRow): Target {
  if (pixKey !== null && pixKeyType !== null) return { type: 'PIX', pixKeyType, pixKey };
  return { type: 'BANK_ACCOUNT', ...bankAccount.parse(account) };
}
