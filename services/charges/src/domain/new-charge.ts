import { newId, type Tenant } from '@plataforma/kernel';
import type { Charge, PaymentMethod } from './charge.ts';

/** What every order says, however it is paid. */
export interface Order {
  amount: number;
  externalId: string;
  payerName: string;
  payerDocument: string;
  description?: string | undefined;
  payerEmail?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/** A charge as it is first written down. */
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
    // API Pix: 26 to 35 letters and digits, ours for ever.
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
    qrCode: null,
    endToEndId: null,
    createdAt: now,
    expiresAt: null,
    paidAt: null,
    settlesAt: null,
    card: null,
    refund: null,
    dueAt: now,
    checks: 0,
    leaseToken: null,
    leaseUntil: null,
  };
}
