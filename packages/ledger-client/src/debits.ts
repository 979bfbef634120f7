import { DECISION_HEADER, ORDER_HEADER, ORDERED_BODY_HEADER, type PeerAnswer } from '@plataforma/http';
import type { Cents, Environment } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';

export interface RefundDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  occurredAt: Date;
  /**
   * The facts of the paid charge. The ledger needs them if it receives the refund before the event of the
   * payment.
   */
  charge: {
    id: string;
    externalId: string;
    paymentMethod: 'PIX' | 'CARD';
    amount: Cents;
    feeAmount: Cents;
    netAmount: Cents;
    paidAt: Date;
    settlesAt: Date | null;
    /** The end-to-end id of the Pix that paid the charge. Null for a card payment. */
    endToEndId: string | null;
  };
}

export interface WithdrawalDebit {
  id: string;
  merchantId: string;
  environment: Environment;
  netAmount: Cents;
  fee: Cents;
  method: 'PIX' | 'TED';
  /** The withdrawal's id in the merchant's own system, or null. */
  externalId: string | null;
  occurredAt: Date;
  /** The gateway's token for the merchant's order, and the exact body of the order. Null without a token. */
  order: { token: string; body: string } | null;
}

/**
 * Returns the headers that prove an order. A ledger of release 0.6.0 ignores them, but would refuse unknown
 * fields in a body. `decision` is the token of an operator's decision to repeat the debit.
 */
export function proofOf({ order }: WithdrawalDebit, decision?: string | null): Record<string, string> {
  return {
    ...(order && {
      [ORDER_HEADER]: order.token,
      [ORDERED_BODY_HEADER]: Buffer.from(order.body).toString('base64url'),
    }),
    ...(decision && { [DECISION_HEADER]: decision }),
  };
}

/**
 * Builds the body field by field, because the ledger refuses unknown fields and the caller's object may have
 * more fields.
 */
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

/** The ledger debited nothing, because no order that the gateway signed matches the debit. */
export class OrderRefused extends Error {}

/**
 * Returns true if the ledger debited this id, and false if the balance did not cover it. Throws
 * SERVICE_UNAVAILABLE if the response does not have the format of the ledger's responses.
 */
export function isDebited({ status, body }: PeerAnswer, id: string): boolean {
  if (status === 200 && success.safeParse(body).data?.data.id === id) return true;
  const code = failure.safeParse(body).data?.error.code;
  if (code === undefined) throw unavailable();
  if (status === 403 && code === 'FORBIDDEN') throw new OrderRefused('the ledger refused the order');
  if (status === 422 && code === 'INSUFFICIENT_BALANCE') return false;
  throw new Error(`the ledger answered ${status} ${code} when asked for money`);
}
