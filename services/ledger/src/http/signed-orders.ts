import { type OrderVerifier, orderDigest } from '@plataforma/http';
import type { Cents, Tenant } from '@plataforma/kernel';
import { z } from 'zod';

/** A withdrawal's creation may repeat its debit for this time. Later, an operator must repeat it. */
const MAX_AGE_MS = 24 * 3_600_000;
const DECISION_AGE_MS = 5 * 60_000;

interface Proof {
  /** The gateway's token for the merchant's order. */
  order: string | undefined;
  /** The body of the order in base64url. */
  body: string | undefined;
  /** The gateway's token for an operator's decision to repeat the debit. Absent for a first debit. */
  decision?: string | undefined;
}

interface Debit extends Tenant {
  /** The id of the withdrawal, which is also the id of its order. */
  id: string;
  netAmount: Cents;
  fee: Cents;
}

const ordered = z.object({ amount: z.int() });

/**
 * Throws FORBIDDEN unless the gateway has signed the merchant's order of this debit. An order has the id of
 * its withdrawal, so it never debits twice. Returns the token's digest, or an empty text without a token.
 */
export function requireOrder(orders: OrderVerifier, proof: Proof, debit: Debit): string {
  const { id, merchantId, environment } = debit;
  const path = '/v1/withdrawals';
  const body = Buffer.from(proof.body ?? '', 'base64url');
  const isRepeated = 'decision' in proof;
  const age = isRepeated ? {} : { maxAgeMs: MAX_AGE_MS };
  const found = orders.verify(proof.order, { path, id, tenant: { merchantId, environment }, body, ...age });
  if (isRepeated) {
    const decided = `/v1/admin/withdrawals/${id}/debit`;
    orders.verify(proof.decision, { path: decided, maxAgeMs: DECISION_AGE_MS });
  }
  if (!found || !proof.order) return '';
  if (!isOrderedAmount(body, debit)) throw orders.refuse('amount', { path, id });
  return orderDigest(proof.order);
}

/** The ordered amount is the net amount, or the net amount plus the fee. The body does not say which. */
function isOrderedAmount(body: Buffer, { netAmount, fee }: Debit): boolean {
  const amount = amountIn(body.toString());
  return amount === netAmount || amount === netAmount + fee;
}

/** Returns null for a body that the withdrawals service refuses. The gateway signs bodies without a check. */
function amountIn(body: string): Cents | null {
  try {
    return ordered.parse(JSON.parse(body)).amount;
  } catch {
    return null;
  }
}
