import type { PeerAnswer } from '@plataforma/http';
import type { Cents, Environment } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';

/** Money taken from a merchant's wallet to be returned to a payer. */
export interface RefundDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  occurredAt: Date;
  /** The paid charge, so that a refund that overtakes the payment's event finds its money. */
  charge: {
    id: string;
    externalId: string;
    paymentMethod: 'PIX' | 'CARD';
    amount: Cents;
    feeAmount: Cents;
    netAmount: Cents;
    paidAt: Date;
    settlesAt: Date | null;
    /** The paying Pix's; null for a card. */
    endToEndId: string | null;
  };
}

/** Money taken from a merchant's wallet to be paid out. */
export interface WithdrawalDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  netAmount: Cents;
  fee: Cents;
  method: 'PIX' | 'TED';
  /** The merchant's own number of it. */
  externalId: string | null;
  occurredAt: Date;
}

/** Copies the fields one by one, because the ledger refuses others and the caller may pass more. */
export function refundDebit({ id, merchantId, environment, amount, occurredAt, charge }: RefundDebit) {
  const { externalId, paymentMethod, feeAmount, netAmount, paidAt, settlesAt, endToEndId } = charge;
  const paid = { id: charge.id, externalId, paymentMethod, amount: charge.amount, feeAmount, netAmount };
  return {
    id,
    merchantId,
    environment,
    amount,
    occurredAt,
    charge: { ...paid, paidAt, settlesAt, endToEndId },
  };
}

export function withdrawalDebit(debit: WithdrawalDebit) {
  const { id, merchantId, environment, netAmount, fee, method, externalId, occurredAt } = debit;
  return { id, merchantId, environment, netAmount, fee, method, externalId, occurredAt };
}

const success = z.object({ data: z.object({ id: z.string() }) });
const failure = z.object({ error: z.object({ code: z.string() }) });

/**
 * True when the ledger has debited this id. An answer without the ledger's envelope leaves the outcome
 * unknown.
 */
export function isDebited({ status, body }: PeerAnswer, id: string): boolean {
  if (status === 200 && success.safeParse(body).data?.data.id === id) return true;
  const code = failure.safeParse(body).data?.error.code;
  if (code === undefined) throw unavailable();
  if (status === 422 && code === 'INSUFFICIENT_BALANCE') return false;
  throw new Error(`the ledger answered ${status} ${code} when asked for money`);
}
