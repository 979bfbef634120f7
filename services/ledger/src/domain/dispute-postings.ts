import { amountOn, type Line, opposite } from './account.ts';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import { fromAvailable, outOf, putBack, take } from './take.ts';
import { sum, type Wallet } from './wallet.ts';

/**
 * Reserves the disputed amount, or less if the merchant's money does not cover it. The uncovered part becomes
 * the merchant's debt, which the platform bears until the debt is paid.
 */
export function disputeOpened(fact: FactOf<'dispute_opened'>, context: PostingContext): Posting {
  const { reference, method, amount, chargeId } = fact;
  const { sources, total, receivable } = take(fact, context);
  const deficit = amount - total;
  const row = { method, chargeId };
  return postingWith({
    lines: [
      ...outOf(sources),
      // Reserve each amount under its payment method, so that a won dispute can return it to the same
      // account.
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

/** Returns the reserved money to the accounts from which it was taken, and cancels the dispute's debt. */
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

/**
 * Pays the reserved money to the payer. The merchant's debt remains until money becomes available to pay it.
 */
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

/**
 * Pays the debt of lost disputes from the merchant's available money. Returns null if no debt or no available
 * money exists.
 */
export function debtCollected(wallet: Wallet): Posting | null {
  const amount = Math.min(wallet.collectableDebt, sum(wallet.available));
  if (amount === 0) return null;
  return postingWith({
    lines: [...outOf(fromAvailable(wallet, amount, 'PIX')), { account: 'dispute_debt', amount }],
    collectable: -amount,
  });
}
