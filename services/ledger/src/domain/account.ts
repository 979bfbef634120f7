import type { Cents } from '@plataforma/kernel';
import { type Method, methods, type Pocket, pockets } from './wallet.ts';

/**
 * An account of a merchant. A positive balance is money that the platform owes the merchant. The balance of
 * `dispute_debt` is never positive.
 */
type MerchantAccount = `${Pocket}:${Method}` | 'dispute_debt';

/**
 * An account of the platform. Its balance is not stored in a row, because the postings of all merchants would
 * wait for the lock of this row. The trial balance sums the account's lines.
 */
type PlatformAccount =
  | `clearing:${Method}`
  | 'fees'
  | 'payouts'
  | 'suspense'
  | 'dispute_exposure'
  | 'adjustments';

export type Account = MerchantAccount | PlatformAccount;

export interface Line {
  account: Account;
  amount: Cents;
}

export function isMerchantAccount(account: Account): boolean {
  return account === 'dispute_debt' || pockets.some((pocket) => account.startsWith(`${pocket}:`));
}

/** Adds up the lines of each account, and removes accounts with the sum 0. */
export function tidy(lines: readonly Line[]): Line[] {
  const totals = new Map<Account, Cents>();
  for (const { account, amount } of lines) totals.set(account, (totals.get(account) ?? 0) + amount);
  return [...totals].filter(([, amount]) => amount !== 0).map(([account, amount]) => ({ account, amount }));
}

export function amountOn(lines: readonly Line[], account: Account): Cents {
  return lines.filter((line) => line.account === account).reduce((total, { amount }) => total + amount, 0);
}

export function amountsIn(lines: readonly Line[], pocket: Pocket): { method: Method; amount: Cents }[] {
  return methods.map((method) => ({ method, amount: amountOn(lines, `${pocket}:${method}`) }));
}

export function opposite(lines: readonly Line[]): Line[] {
  return lines.map(({ account, amount }) => ({ account, amount: -amount }));
}
