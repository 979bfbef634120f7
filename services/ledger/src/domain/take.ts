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
  /** After its part was taken; absent when the charge has none. */
  receivable: Receivable | undefined;
}

/**
 * Takes `amount`, or as much as there is: the charge's pending money first, then available money, the charge's method
 * first. Available money that covers a dispute debt does not count.
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

/** Where `amount` of the available money comes from: `first`, then one method after the other. */
export function fromAvailable(wallet: Wallet, amount: Cents, first: Method): Source[] {
  return shared(wallet.available, amount, first).map((part) => ({ pocket: 'available', ...part }));
}

/** How much of `amount` each method of a pocket gives: `first`, then one after the other. */
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

/** The lines that take money out of where it is. */
export function outOf(sources: readonly Source[]): Line[] {
  return sources.map(({ pocket, method, amount }) => ({ account: `${pocket}:${method}`, amount: -amount }));
}

/**
 * Returns what an entry took to where it was. Pending money becomes available if its receivable's day has come: a
 * settlement of the past never changes.
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
