import type { Cents, Tenant } from '@plataforma/kernel';
import { type Method, type Pocket, pockets, statementBalance, type Wallet } from './wallet.ts';

/** Money in a pocket of the merchant's (positive: owed to the merchant), or in an account of the platform's. */
type Account = `${Pocket}:${Method}` | `clearing:${Method}` | 'fees';

export interface Line {
  account: Account;
  amount: Cents;
}

/** A row the merchant reads: incoming positive, outgoing negative. */
interface StatementRow {
  type: 'CREDIT' | 'FEE';
  amount: Cents;
  description: string;
  method: Method;
  chargeId: string;
}

/** Something that happened in the business and belongs in the books. */
interface ChargePaid extends Tenant {
  kind: 'charge_paid';
  reference: string;
  occurredAt: string;
  method: 'PIX';
  amount: Cents;
  fee: Cents;
  externalId: string;
}

export type Fact = ChargePaid;

/** What a fact writes: lines that add up to zero, rows for the statement, and what the totals gain. */
export interface Posting {
  lines: Line[];
  rows: StatementRow[];
  earned: Cents;
}

/** The posting of a fact. */
export function postingOf(fact: Fact): Posting {
  const { method, amount, fee, reference, externalId } = fact;
  if (fee < 0 || fee > amount) throw new RangeError('a fee is part of the amount it is taken from');
  const row = { method, chargeId: reference };
  return withoutZeros({
    lines: [
      { account: `clearing:${method}`, amount: -amount },
      { account: `available:${method}`, amount: amount - fee },
      { account: 'fees', amount: fee },
    ],
    rows: [
      { ...row, type: 'CREDIT', amount, description: `Pix charge ${externalId}` },
      { ...row, type: 'FEE', amount: -fee, description: `Fee of Pix charge ${externalId}` },
    ],
    earned: amount,
  });
}

/** A free charge has no fee line and no fee row. */
function withoutZeros({ lines, rows, earned }: Posting): Posting {
  return {
    lines: lines.filter(({ amount }) => amount !== 0),
    rows: rows.filter(({ amount }) => amount !== 0),
    earned,
  };
}

export type PostedRow = StatementRow & { balanceAfter: Cents };

/** The wallet after a posting, and its rows with the balance each one left. */
export function applyPosting(wallet: Wallet, posting: Posting): { wallet: Wallet; rows: PostedRow[] } {
  const next = structuredClone(wallet);
  for (const { account, amount } of posting.lines) addToPocket(next, account, amount);
  next.totalEarned = exact(next.totalEarned + posting.earned);

  let balanceAfter = statementBalance(wallet);
  const rows = posting.rows.map((row) => {
    balanceAfter = exact(balanceAfter + row.amount);
    if (row.type === 'FEE') next.totalFeesPaid -= row.amount;
    return { ...row, balanceAfter };
  });
  if (balanceAfter !== statementBalance(next))
    throw new Error('the rows of a posting disagree with its lines');
  return { wallet: next, rows };
}

/** Platform accounts have no balance column: the trial balance sums their lines. */
function addToPocket(wallet: Wallet, account: Account, amount: Cents): void {
  for (const pocket of pockets) {
    for (const method of ['PIX', 'CARD', 'BOLETO'] as const) {
      if (account === `${pocket}:${method}`) wallet[pocket][method] = exact(wallet[pocket][method] + amount);
    }
  }
}

/** Beyond the safe integers a cent may get lost without a trace: better no posting than a wrong one. */
function exact(amount: Cents): Cents {
  if (!Number.isSafeInteger(amount)) throw new RangeError('an amount left the safe integers');
  return amount;
}
