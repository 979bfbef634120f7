import { Refusal } from '@plataforma/kernel';
import { chargeName } from './charge-postings.ts';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import { outOf, putBack, take } from './take.ts';

/**
 * Debits the whole refund from the merchant. Throws INSUFFICIENT_BALANCE if the merchant's money does not
 * cover it.
 */
export function refund(fact: FactOf<'refund'>, context: PostingContext): Posting {
  const { method, amount, chargeId } = fact;
  const { sources, total, receivable } = take(fact, context);
  if (total < amount) throw notCovered();
  const description = `Refund of ${chargeName(fact)}`;
  return postingWith({
    lines: [...outOf(sources), { account: `clearing:${method}`, amount }],
    rows: [{ type: 'REFUND', amount: -amount, description, method, chargeId }],
    ...(receivable ? { receivable } : {}),
  });
}

export function notCovered(): Refusal {
  const message = 'the charge’s pending money and the withdrawable balance do not cover the refund';
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', message);
}

/** Returns the money of a refused refund to the accounts from which it was debited. */
export function refundRefused(fact: FactOf<'refund_refused'>, context: PostingContext): Posting {
  const { method, amount, chargeId, reference } = fact;
  const description = `Refund ${reference} refused by the provider`;
  return postingWith({
    ...putBack(fact, context),
    rows: [{ type: 'REFUND', amount, description, method, chargeId }],
  });
}
