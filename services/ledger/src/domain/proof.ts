import type { Cents } from '@plataforma/kernel';
import { type Account, isMerchantAccount, type Line, tidy } from './account.ts';
import type { Entry } from './entry.ts';
import type { Kind } from './fact.ts';
import { methods, pockets, type Wallet } from './wallet.ts';

/** The credit of an entry. Its kind and reference name the fact in the service that caused it. */
export interface Credit {
  kind: Entry['kind'];
  reference: string;
  amount: Cents;
}

/** The balances of a merchant's accounts in cents. An absent account has zero. */
export type Balances = Partial<Record<Account, Cents>>;

type Amounts = readonly Pick<Line, 'account' | 'amount'>[];

/** The kinds that always give a merchant usable money. */
const crediting: readonly string[] = [
  'charge_paid',
  'refund_refused',
  'withdrawal_returned',
  'dispute_won',
] satisfies Kind[];

/**
 * Lists the credits among entries: those of the kinds above, and any other that increases a merchant's money.
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

/** Returns the increase of a merchant's money over all accounts, in cents. */
export function gainedBy(lines: Amounts): Cents {
  return total(lines.filter(({ account }) => isMerchantAccount(account)));
}

/** Returns the amount that a dispute releases: its reserved money and its debt. */
function releasedBy(lines: Amounts): Cents {
  const reserved = lines.filter(({ account }) => account.startsWith('reserved:'));
  return total(lines.filter(({ account }) => account === 'dispute_debt')) - total(reserved);
}

function total(lines: Amounts): Cents {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
