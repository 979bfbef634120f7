import type { Cents } from '@plataforma/kernel';
import { type Account, isMerchantAccount, type Line, tidy } from './account.ts';
import type { Entry } from './entry.ts';
import type { Kind } from './fact.ts';
import { methods, pockets, type Wallet } from './wallet.ts';

/**
 * A credit to a merchant. `kind` and `reference` identify the fact that caused it, such as a charge's
 * payment.
 */
export interface Credit {
  kind: Entry['kind'];
  reference: string;
  amount: Cents;
}

/** The balances of a merchant's accounts in cents. The balance of an absent account is 0. */
export type Balances = Partial<Record<Account, Cents>>;

type Amounts = readonly Pick<Line, 'account' | 'amount'>[];

/** The kinds of entries that always give a merchant money that the merchant can use. */
const crediting: readonly string[] = [
  'charge_paid',
  'refund_refused',
  'withdrawal_returned',
  'dispute_won',
] satisfies Kind[];

/**
 * Lists the credits in entries: all entries of the kinds in `crediting`, and other entries that increase a
 * merchant's money.
 */
export function creditsOf(entries: readonly Pick<Entry, 'kind' | 'reference' | 'lines'>[]): Credit[] {
  return entries.flatMap(({ kind, reference, lines }) => {
    const gained = gainedBy(lines);
    const amount = kind === 'dispute_won' ? releasedBy(lines) : gained;
    return crediting.includes(kind) || gained > 0 ? [{ kind, reference, amount }] : [];
  });
}

export function balancesOf(lines: Amounts): Balances {
  const own = lines.filter(({ account }) => isMerchantAccount(account));
  return Object.fromEntries(tidy(own).map(({ account, amount }) => [account, amount]));
}

export function balancesIn(wallet: Wallet): Balances {
  const pocketLines = pockets.flatMap((pocket) =>
    methods.map((method): Line => ({ account: `${pocket}:${method}`, amount: wallet[pocket][method] })),
  );
  return balancesOf([...pocketLines, { account: 'dispute_debt', amount: -wallet.disputeDebt }]);
}

/** Returns by how many cents the lines increase a merchant's money in all its accounts together. */
export function gainedBy(lines: Amounts): Cents {
  return total(lines.filter(({ account }) => isMerchantAccount(account)));
}

/** Returns the amount that a won dispute releases: the reserved money and the cancelled debt. */
function releasedBy(lines: Amounts): Cents {
  const reserved = lines.filter(({ account }) => account.startsWith('reserved:'));
  return total(lines.filter(({ account }) => account === 'dispute_debt')) - total(reserved);
}

function total(lines: Amounts): Cents {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
