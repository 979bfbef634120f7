import { type Cents, Refusal } from '@plataforma/kernel';
import type { Line } from './account.ts';
import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import { fromAvailable, outOf, shared } from './take.ts';
import { sum, type Wallet, withdrawable } from './wallet.ts';

/**
 * Moves available money to `blocked`. Blocked money stays divided by payment method, so that `unblock` can
 * return each part to the account of its method.
 */
export function block({ amount }: FactOf<'block'>, { wallet }: PostingContext): Posting {
  requireWithdrawable(wallet, amount);
  const sources = fromAvailable(wallet, amount, 'PIX');
  return postingWith({
    lines: [
      ...outOf(sources),
      ...sources.map((source): Line => ({ account: `blocked:${source.method}`, amount: source.amount })),
    ],
    rows: [{ type: 'DEBIT', amount: -amount, description: 'Blocked by the platform' }],
  });
}

export function unblock({ amount }: FactOf<'unblock'>, { wallet }: PostingContext): Posting {
  if (amount > sum(wallet.blocked)) throw notCovered('that much is not blocked');
  const shares = shared(wallet.blocked, amount, 'PIX');
  return postingWith({
    lines: shares.flatMap((part): Line[] => [
      { account: `blocked:${part.method}`, amount: -part.amount },
      { account: `available:${part.method}`, amount: part.amount },
    ]),
    rows: [{ type: 'CREDIT', amount, description: 'No longer blocked by the platform' }],
  });
}

/**
 * Posts money that the platform gives to the merchant or takes from the merchant. It counts as Pix money,
 * because it has no payment method.
 */
export function adjustment({ amount, memo }: FactOf<'adjustment'>, { wallet }: PostingContext): Posting {
  if (amount < 0) requireWithdrawable(wallet, -amount);
  const lines: Line[] =
    amount < 0 ? outOf(fromAvailable(wallet, -amount, 'PIX')) : [{ account: 'available:PIX', amount }];
  return postingWith({
    lines: [...lines, { account: 'adjustments', amount: -amount }],
    rows: [{ type: amount < 0 ? 'DEBIT' : 'CREDIT', amount, description: memo }],
  });
}

function requireWithdrawable(wallet: Wallet, amount: Cents): void {
  if (amount > withdrawable(wallet)) throw notCovered('the withdrawable balance does not cover the amount');
}

function notCovered(message: string): Refusal {
  return new Refusal('unprocessable', 'INSUFFICIENT_BALANCE', message);
}
