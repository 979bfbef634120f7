import type { PeerAnswer } from '@plataforma/http';
import type { Cents, Environment } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';

/** A debit of a merchant's wallet for a refund. */
export interface RefundDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  occurredAt: Date;
  /** The paid charge, because the refund may arrive before the event of the payment. */
  charge: {
    id: string;
    externalId: string;
    paymentMethod: 'PIX' | 'CARD';
    amount: Cents;
    feeAmount: Cents;
    netAmount: Cents;
    paidAt: Date;
    settlesAt: Date | null;
    /** The end-to-end id of the paying Pix; null for a card. */
    endToEndId: string | null;
  };
}

/** A debit of a merchant's wallet for a payout. */
export interface WithdrawalDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  netAmount: Cents;
  fee: Cents;
  method: 'PIX' | 'TED';
  /** The merchant's own reference. */
  externalId: string | null;
  occurredAt: Date;
}

/** Copies each field, because the ledger refuses unknown ones and the caller may pass more. */
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
 * Returns true if the ledger debited this id, false if the balance did not cover it. Throws
 * SERVICE_UNAVAILABLE for an answer without the ledger's envelope.
 */
export function isDebited({ status, body }: PeerAnswer, id: string): boolean {
  if (status === 200 && success.safeParse(body).data?.data.id === id) return true;
  const code = failure.safeParse(body).data?.error.code;
  if (code === undefined) throw unavailable();
  if (status === 422 && code === 'INSUFFICIENT_BALANCE') return false;
  throw new Error(`the ledger answered ${status} ${code} when asked for money`);
}
