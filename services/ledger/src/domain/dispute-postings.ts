import { amountOn, type Line, opposite } from './account.ts';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import { fromAvailable, outOf, putBack, take } from './take.ts';
import { sum, type Wallet } from './wallet.ts';

/**
 * Reserves the disputed amount as far as the wallet covers it. The rest is a debt, for which the platform
 * pays.
 */
export function disputeOpened(fact: FactOf<'dispute_opened'>, context: PostingContext): Posting {
  const { reference, method, amount, chargeId } = fact;
  const { sources, total, receivable } = take(fact, context);
  const deficit = amount - total;
  const row = { method, chargeId };
  return postingWith({
    lines: [
      ...outOf(sources),
      // Each amount keeps its method, so that a won dispute returns it there.
      ...sources.map((source): Line => ({ account: `reserved:${source.method}`, amount: source.amount })),
      { account: 'dispute_debt', amount: -deficit },
      { account: 'dispute_exposure', amount: deficit },
    ],
    rows: [
      { ...row, type: 'DISPUTE_RESERVE', amount: -total, description: `Reserved for dispute ${reference}` },
      { ...row, type: 'DISPUTE_DEFICIT', amount: -deficit, description: `Missing for dispute ${reference}` },
    ],
    ...(receivable ? { receivable } : {}),
  });
}

/** Returns the reserved money to its accounts and cancels the debt. */
export function disputeWon(fact: FactOf<'dispute_won'>, context: PostingContext): Posting {
  const { reference, method, amount, chargeId } = fact;
  const deficit = amountOn(context.answeredLines, 'dispute_exposure');
  const row = { method, chargeId };
  const name = `${fact.isCancelled ? 'cancelled dispute' : 'dispute'} ${reference}`;
  return postingWith({
    ...putBack(fact, context),
    rows: [
      { ...row, type: 'DISPUTE_RELEASE', amount: amount - deficit, description: `Released by ${name}` },
      { ...row, type: 'DISPUTE_DEFICIT', amount: deficit, description: `Not owed for ${name}` },
    ],
  });
}

/** Pays the reserved money to the payer. The debt stays until it is collected. */
export function disputeLost(fact: FactOf<'dispute_lost'>, { answeredLines }: PostingContext): Posting {
  const deficit = amountOn(answeredLines, 'dispute_exposure');
  return postingWith({
    lines: [
      ...opposite(answeredLines.filter(({ account }) => account.startsWith('reserved:'))),
      { account: 'dispute_exposure', amount: -deficit },
      { account: `clearing:${fact.method}`, amount: fact.amount },
    ],
    collectable: deficit,
  });
}

/** Pays the debt of lost disputes from available money; null if either is zero. */
export function debtCollected(wallet: Wallet): Posting | null {
  const amount = Math.min(wallet.collectableDebt, sum(wallet.available));
  if (amount === 0) return null;
  return postingWith({
    lines: [...outOf(fromAvailable(wallet, amount, 'PIX')), { account: 'dispute_debt', amount }],
    collectable: -amount,
  });
}
