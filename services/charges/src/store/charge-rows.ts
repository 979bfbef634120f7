import type { Environment } from '@plataforma/kernel';
import type { Charge, ChargeStatus, PaymentMethod } from '../domain/charge.ts';

/** Named one by one: a column that a newer release adds must not change what a prepared statement answers. */
export const CHARGE_COLUMNS = [
  'id',
  'merchant_id',
  'environment',
  'external_id',
  'txid',
  'payment_method',
  'amount_cents',
  'fee_cents',
  'net_cents',
  'status',
  'sequence',
  'payer_name',
  'payer_document',
  'payer_email',
  'description',
  'metadata',
  'qr_code',
  'end_to_end_id',
  'created_at',
  'expires_at',
  'paid_at',
  'settles_at',
  'installments',
  'acquirer_id',
  'card_brand',
  'card_last_digits',
  'decline_reason',
  'is_voiding',
  'is_watched',
  'refunded_cents',
  'refunded_at',
  'refund_reason',
  'next_check_at',
  'checks',
  'lease_token',
  'lease_until',
] as const;

export interface ChargeRow {
  id: string;
  merchant_id: string;
  environment: Environment;
  external_id: string;
  txid: string;
  payment_method: PaymentMethod;
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  status: ChargeStatus;
  sequence: number;
  payer_name: string;
  payer_document: string;
  payer_email: string | null;
  description: string | null;
  metadata: Record<string, string>;
  qr_code: string | null;
  end_to_end_id: string | null;
  created_at: Date;
  expires_at: Date | null;
  paid_at: Date | null;
  settles_at: Date | null;
  installments: number | null;
  acquirer_id: string | null;
  card_brand: string | null;
  card_last_digits: string | null;
  decline_reason: string | null;
  is_voiding: boolean;
  is_watched: boolean;
  refunded_cents: number | null;
  refunded_at: Date | null;
  refund_reason: string | null;
  next_check_at: Date;
  checks: number;
  lease_token: string | null;
  lease_until: Date | null;
  [column: string]: unknown;
}

export function chargeOf(row: ChargeRow): Charge {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    externalId: row.external_id,
    txid: row.txid,
    paymentMethod: row.payment_method,
    amount: row.amount_cents,
    feeAmount: row.fee_cents,
    netAmount: row.net_cents,
    status: row.status,
    sequence: row.sequence,
    payerName: row.payer_name,
    payerDocument: row.payer_document,
    payerEmail: row.payer_email,
    description: row.description,
    metadata: row.metadata,
    qrCode: row.qr_code,
    endToEndId: row.end_to_end_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
    settlesAt: row.settles_at,
    card: cardOf(row),
    refund: refundOf(row),
    dueAt: row.next_check_at,
    checks: row.checks,
    leaseToken: row.lease_token,
    leaseUntil: row.lease_until,
  };
}

function cardOf(row: ChargeRow): Charge['card'] {
  if (row.installments === null) return null;
  return {
    installments: row.installments,
    acquirerId: row.acquirer_id,
    brand: row.card_brand,
    lastDigits: row.card_last_digits,
    declineReason: row.decline_reason,
    isVoiding: row.is_voiding,
    isWatched: row.is_watched,
  };
}

function refundOf({ refunded_cents: amount, refunded_at: at, refund_reason: reason }: ChargeRow) {
  return amount === null || at === null ? null : { amount, at, reason };
}
