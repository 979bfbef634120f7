import { type Cents, type Environment, portion, Refusal } from '@plataforma/kernel';

export const chargeStatuses = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED'] as const;
export type ChargeStatus = (typeof chargeStatuses)[number];
export type ChargeStep = 'pay' | 'expire' | 'cancel';

/** Every change a charge can go through; what is not here can't happen. */
const transitions: Record<ChargeStatus, Partial<Record<ChargeStep, ChargeStatus>>> = {
  PENDING: { pay: 'PAID', expire: 'EXPIRED', cancel: 'CANCELLED' },
  PAID: {},
  EXPIRED: {},
  CANCELLED: {},
};

/** The status after a step, or null when the step is not possible from here. */
export function statusAfter(status: ChargeStatus, step: ChargeStep): ChargeStatus | null {
  return transitions[status][step] ?? null;
}

export interface Charge {
  id: string;
  merchantId: string;
  environment: Environment;
  externalId: string;
  txid: string;
  paymentMethod: 'PIX';
  amount: Cents;
  feeAmount: Cents;
  netAmount: Cents;
  status: ChargeStatus;
  sequence: number;
  payerName: string;
  payerDocument: string;
  payerEmail: string | null;
  description: string | null;
  /** Null until the provider has confirmed the charge. */
  qrCode: string | null;
  endToEndId: string | null;
  createdAt: Date;
  expiresAt: Date;
  paidAt: Date | null;
}

/**
 * The merchant's price for a charge: a share rounded half up plus a fixed part, never more than the charge.
 */
export function feeOf(amount: Cents, { feeBps, feeFixed }: { feeBps: number; feeFixed: Cents }): Cents {
  return Math.min(amount, portion(amount, feeBps) + feeFixed);
}

type Identifying = Pick<Charge, 'amount' | 'paymentMethod' | 'payerName' | 'payerDocument'>;

/**
 * An externalId names one order: asking again for the same thing is welcome, for another thing is a mistake.
 */
export function demandSameOrder(existing: Identifying, asked: Identifying): void {
  const isSame =
    existing.amount === asked.amount &&
    existing.paymentMethod === asked.paymentMethod &&
    existing.payerName === asked.payerName &&
    existing.payerDocument === asked.payerDocument;
  if (isSame) return;
  const message = 'externalId: was used for a charge with another amount, payment method or payer';
  throw new Refusal('conflict', 'EXTERNAL_ID_CONFLICT', message);
}

export function notCancellable(status: ChargeStatus): Refusal {
  const why = status === 'PENDING' ? 'has received a payment' : `is ${status}`;
  return new Refusal('conflict', 'CHARGE_NOT_CANCELLABLE', `the charge ${why} and can’t be cancelled`);
}

export function notPayable(status: ChargeStatus): Refusal {
  const why = status === 'PENDING' ? 'is being paid at this moment' : `is ${status}`;
  return new Refusal('conflict', 'CHARGE_NOT_PAYABLE', `the charge ${why}`);
}
