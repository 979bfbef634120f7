import { opposite } from './account.ts';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';

/** Posts an unmatched payment. The money belongs to no merchant, and the provider returns it to its payer. */
export function unmatchedReceived(fact: FactOf<'unexpected_payment_received'>): Posting {
  const { method, amount } = fact;
  return postingWith({
    lines: [
      { account: `clearing:${method}`, amount: -amount },
      { account: 'suspense', amount },
    ],
  });
}

export function unmatchedReturned(
  _fact: FactOf<'unexpected_payment_returned'>,
  { answeredLines }: PostingContext,
): Posting {
  return postingWith({ lines: opposite(answeredLines) });
}
