import { Refusal } from '@plataforma/kernel';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import { fromAvailable, outOf, putBack } from './take.ts';
import { withdrawable } from './wallet.ts';

const nameOf = { PIX: 'Pix', TED: 'TED' } as const;

/**
 * Debits the net amount and the fee of a withdrawal. Throws INSUFFICIENT_BALANCE if the balance does not
 * cover them.
 */
export function withdrawalDebited(fact: FactOf<'withdrawal_created'>, { wallet }: PostingContext): Posting {
  const { reference, method, netAmount, fee } = fact;
  if (netAmount <= 0 || fee < 0)
    throw new RangeError('a withdrawal pays something, for a fee of nothing or more');
  if (netAmount + fee > withdrawable(wallet)) throw withdrawalNotCovered();
  const name = `${nameOf[method]} withdrawal ${reference}`;
  return postingWith({
    lines: [
      ...outOf(fromAvailable(wallet, netAmount + fee, 'PIX')),
      { account: 'payouts', amount: netAmount },
      { account: 'fees', amount: fee },
    ],
    rows: [
      { withdrawalId: reference, type: 'WITHDRAWAL', amount: -netAmount, description: name },
      { withdrawalId: reference, type: 'FEE', amount: -fee, description: `Fee of ${name}` },
    ],
  });
}

export function withdrawalNotCovered(): Refusal {
  const message = 'the withdrawable balance does not cover the withdrawal and its fee';
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', message);
}

/**
 * Posts that the provider paid the withdrawal. A TED is paid from the same bank account that receives Pix
 * payments.
 */
export function withdrawalCompleted({ netAmount }: FactOf<'withdrawal_completed'>): Posting {
  return postingWith({
    lines: [
      { account: 'payouts', amount: -netAmount },
      { account: 'clearing:PIX', amount: netAmount },
    ],
  });
}

/**
 * Builds the posting that gives the net amount and the fee of an unpaid withdrawal back to the accounts from
 * which they were debited.
 */
export function withdrawalReversed(fact: FactOf<'withdrawal_returned'>, context: PostingContext): Posting {
  const { reference, netAmount, fee } = fact;
  const name = `withdrawal ${reference} returned`;
  return postingWith({
    ...putBack(fact, context),
    rows: [
      { withdrawalId: reference, type: 'WITHDRAWAL', amount: netAmount, description: `Money of ${name}` },
      { withdrawalId: reference, type: 'FEE', amount: fee, description: `Fee of ${name}` },
    ],
  });
}
