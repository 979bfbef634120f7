import type { Cents } from '@plataforma/kernel';
import { type Account, isMerchantAccount, type Line, tidy } from './account.ts';
import type { Entry } from './entry.ts';
import type { Kind } from './fact.ts';
import { methods, pockets, type Wallet } from './wallet.ts';

/** What an entry gave a merchant, by the kind and reference of the fact that the service it comes from knows. */
export interface Credit {
  kind: Entry['kind'];
  reference: string;
  amount: Cents;
}

/** A merchant's accounts by name; one that is not named holds nothing. */
export type Balances = Partial<Record<Account, Cents>>;

type Amounts = readonly Pick<Line, 'account' | 'amount'>[];

/** Kinds that give a merchant money to use, whatever their lines say. */
const crediting: readonly string[] = [
  'charge_paid',
  'refund_refused',
  'withdrawal_returned',
  'dispute_won',
] satisfies Kind[];

/** Those of these entries that give a merchant money, and any other that does so by its lines. */
export function creditsOf(entries: readonly Pick<Entry, 'kind' | 'reference' | 'lines'>[]): Credit[] {
  return entries.flatMap(({ kind, reference, lines }) => {
    const gained = gainedBy(lines);
    const amount = kind === 'dispute_won' ? releasedBy(lines) : gained;
    return crediting.includes(kind) || gained > 0 ? [{ kind, reference, amount }] : [];
  });
}

/** What lines change of a merchant's accounts, each once. */
export function balancesOf(lines: Amounts): Balances {
  const own = lines.filter(({ account }) => isMerchantAccount(account));
  return Object.fromEntries(tidy(own).map(({ account, amount }) => [account, amount]));
}

export function balancesIn(wallet: Wallet): Balances {
  const held = pockets.flatMap((pocket) =>
    methods.map((method): Line => ({ account: `${pocket}:${method}`, amount: wallet[pocket][method] })),
  );
  return balancesOf([...held, { account: 'dispute_debt', amount: -wallet.disputeDebt }]);
}

/** What a merchant has more than before, by all of its accounts. */
export function gainedBy(lines: Amounts): Cents {
  return total(lines.filter(({ account }) => isMerchantAccount(account)));
}

/** What a dispute no longer holds: reserved money, and the debt beyond it. */
function releasedBy(lines: Amounts): Cents {
  const reserved = lines.filter(({ account }) => account.startsWith('reserved:'));
  return total(lines.filter(({ account }) => account === 'dispute_debt')) - total(reserved);
}

function total(lines: Amounts): Cents {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
