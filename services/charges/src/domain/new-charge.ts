import { type Cents, newId, portion, Refusal, type Tenant } from '@plataforma/kernel';
import type { Charge, PaymentMethod } from './charge.ts';

export interface Order {
  amount: number;
  externalId: string;
  payerName: string;
  payerDocument: string;
  description?: string | undefined;
  payerEmail?: string | undefined;
  metadata?: Record<string, string> | undefined;
  checkout?: { checkoutId: string; paymentLinkId: string } | undefined;
}

export interface CreatedCharge {
  charge: Charge;
  /** False when a charge with this externalId existed before. */
  isNew: boolean;
}

export function newCharge(
  order: Order,
  {
    tenant,
    fee,
    now,
    paymentMethod,
  }: { tenant: Tenant; fee: number; now: Date; paymentMethod: PaymentMethod },
): Charge {
  const id = newId();
  return {
    id,
    merchantId: tenant.merchantId,
    environment: tenant.environment,
    externalId: order.externalId,
    // API Pix requires 26 to 35 letters and digits, and a txid is never used again.
    txid: id.replaceAll('-', ''),
    paymentMethod,
    amount: order.amount,
    feeAmount: fee,
    netAmount: order.amount - fee,
    status: 'PENDING',
    sequence: 0,
    payerName: order.payerName,
    payerDocument: order.payerDocument,
    payerEmail: order.payerEmail ?? null,
    description: order.description ?? null,
    metadata: order.metadata ?? {},
    ...(order.checkout ?? { checkoutId: null, paymentLinkId: null }),
    qrCode: null,
    endToEndId: null,
    createdAt: now,
    expiresAt: null,
    paidAt: null,
    settlesAt: null,
    card: null,
    refund: null,
    dueAt: now,
    attempts: 0,
    leaseToken: null,
    leaseUntil: null,
    seal: null,
  };
}

/**
 * Returns the merchant's fee for a charge: a share, rounded half up, plus a fixed part. The fee never exceeds
 * the charge.
 */
export function feeOf(amount: Cents, { feeBps, feeFixed }: { feeBps: number; feeFixed: Cents }): Cents {
  return Math.min(amount, portion(amount, feeBps) + feeFixed);
}

type Identifying = Pick<Charge, 'amount' | 'paymentMethod' | 'payerName' | 'payerDocument' | 'card'>;

/** Returns the names of the request fields in which the two orders differ. */
export function differencesOf(existing: Identifying, requested: Identifying): string[] {
  const fields = ['amount', 'paymentMethod', 'payerName', 'payerDocument'] as const;
  const others: string[] = fields.filter((field) => existing[field] !== requested[field]);
  const areCards = existing.card !== null && requested.card !== null;
  if (areCards && existing.card?.installments !== requested.card?.installments) others.push('installments');
  return others;
}

/**
 * Requires that both requests describe the same order, because an externalId identifies one order. The same
 * order may be repeated; a different order is refused.
 */
export function requireSameOrder(existing: Identifying, requested: Identifying): void {
  const others = differencesOf(existing, requested);
  if (others.length === 0) return;
  const message = `externalId: was used for a charge with another ${others.join(', ')}`;
  throw new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}
