import type { Cents } from '@plataforma/kernel';
import { amountsIn, type Line, opposite } from './account.ts';
import type { Posting, PostingContext } from './posting.ts';
import type { Receivable } from './receivable.ts';
import { type Method, methods, type Wallet, withdrawable } from './wallet.ts';

interface Source {
  pocket: 'pending' | 'available';
  method: Method;
  amount: Cents;
}

interface Taken {
  sources: Source[];
  total: Cents;
  /** The charge's receivable without the taken part. Undefined if the charge has no receivable. */
  receivable: Receivable | undefined;
}

/**
 * Takes up to `amount` cents: first the charge's pending money, then available money of the charge's payment
 * method, then other available money. Leaves as much available money as the merchant's dispute debt.
 */
export function take(
  { amount, method }: { amount: Cents; method: Method },
  { wallet, receivable }: Pick<PostingContext, 'wallet' | 'receivable'>,
): Taken {
  const pending = Math.min(amount, receivable?.remaining ?? 0);
  const available = Math.min(amount - pending, withdrawable(wallet));
  return {
    sources: [
      { pocket: 'pending', method: receivable?.method ?? method, amount: pending },
      ...fromAvailable(wallet, available, method),
    ],
    total: pending + available,
    receivable: receivable && { ...receivable, remaining: receivable.remaining - pending },
  };
}

/**
 * Splits `amount` over the available money of the payment methods. Uses the method `first` before the others.
 */
export function fromAvailable(wallet: Wallet, amount: Cents, first: Method): Source[] {
  return shared(wallet.available, amount, first).map((part) => ({ pocket: 'available', ...part }));
}

/** Splits `amount` over the payment methods of a pocket. Uses the method `first` before the others. */
export function shared(
  pocket: Wallet['available'],
  amount: Cents,
  first: Method,
): { method: Method; amount: Cents }[] {
  let missing = amount;
  return [...new Set([first, ...methods])].map((method) => {
    const part = Math.min(missing, pocket[method]);
    missing -= part;
    return { method, amount: part };
  });
}

export function outOf(sources: readonly Source[]): Line[] {
  return sources.map(({ pocket, method, amount }) => ({ account: `${pocket}:${method}`, amount: -amount }));
}

/**
 * Returns lines that reverse the lines of the earlier entry. From `settlesAt` on, the receivable's money goes
 * to `available` instead of `pending`, because that day's settlement may already be published.
 */
export function putBack(
  { reference }: { reference: string },
  { answeredLines, receivable, at }: PostingContext,
): Pick<Posting, 'lines' | 'receivable'> {
  const lines = opposite(answeredLines);
  const pending = amountsIn(lines, 'pending').reduce((total, { amount }) => total + amount, 0);
  if (pending === 0) return { lines };
  if (!receivable) throw new Error('pending money was taken from a receivable that does not exist');
  if (new Date(at) >= new Date(receivable.settlesAt)) return { lines: lines.map(asSettled) };
  const remaining = receivable.remaining + pending;
  return { lines, receivable: { ...receivable, remaining, dueReference: reference } };
}

function asSettled(line: Line): Line {
  const pending = methods.find((method) => line.account === `pending:${method}`);
  return pending ? { ...line, account: `available:${pending}` } : line;
}
