import type { Cents } from '@plataforma/kernel';
import type { Account } from './account.ts';
import type { Entry } from './entry.ts';
import type { StatementRow } from './posting.ts';
import type { Difference } from './row-counts.ts';
import { methods, pockets, sum, type Wallet } from './wallet.ts';

/** What all entries of a wallet come to, as far as they have been added up. */
export interface Fold {
  lines: { kind: Entry['kind']; account: Account; amount: Cents }[];
  rows: { type: StatementRow['type']; amount: Cents }[];
  /** What is pending of each charge; nothing of a charge that has none. */
  pending: Map<string, Cents>;
  /** The number of the last entry, and the balance its last row says; null when no row does. */
  lastSequence: number;
  lastBalance: Cents | null;
}

/** What stands beside the entries and must follow from them. */
interface Standing {
  wallet: Wallet;
  /** What remains of the receivables that are open. */
  receivables: Map<string, Cents>;
}

/** Wherever a wallet, or its receivables, differ from what its entries come to. */
export function foldDifferences({ wallet, receivables }: Standing, fold: Fold): Difference[] {
  return [
    ...pocketDifferences(wallet, fold),
    ...differing('dispute debt', wallet.disputeDebt, -on(fold, 'dispute_debt')),
    ...differing('collectable debt', wallet.collectableDebt, collectableIn(fold)),
    ...differing('total earned', wallet.totalEarned, earnedIn(fold)),
    ...differing('total withdrawn', wallet.totalWithdrawn, -ofType(fold, 'WITHDRAWAL')),
    ...differing('total fees paid', wallet.totalFeesPaid, -ofType(fold, 'FEE')),
    ...differing('sum of rows', total(fold.rows), statementBalanceIn(fold)),
    ...(fold.lastBalance === null
      ? []
      : differing('last balanceAfter', fold.lastBalance, statementBalanceIn(fold))),
    ...differing('length of the chain', wallet.chain.sequence, fold.lastSequence),
    ...receivableDifferences(receivables, fold.pending),
  ];
}

function pocketDifferences(wallet: Wallet, fold: Fold): Difference[] {
  return pockets.flatMap((pocket) =>
    methods.flatMap((method) => {
      const account = `${pocket}:${method}` as const;
      return differing(account, wallet[pocket][method], on(fold, account));
    }),
  );
}

function receivableDifferences(recorded: Map<string, Cents>, pending: Map<string, Cents>): Difference[] {
  const charges = new Set([...recorded.keys(), ...pending.keys()]);
  return [...charges].flatMap((charge) =>
    differing(`receivable of charge ${charge}`, recorded.get(charge) ?? 0, pending.get(charge) ?? 0),
  );
}

function differing(what: string, recorded: Cents, computed: Cents): Difference[] {
  // Zero has two signs.
  return recorded + 0 === computed + 0 ? [] : [{ what, recorded, computed: computed + 0 }];
}

const total = (amounts: readonly { amount: Cents }[]) => amounts.reduce((all, { amount }) => all + amount, 0);

const on = ({ lines }: Fold, account: Account, kind?: Entry['kind']) =>
  total(lines.filter((line) => line.account === account && (kind === undefined || line.kind === kind)));

const ofType = ({ rows }: Fold, type: StatementRow['type']) => total(rows.filter((row) => row.type === type));

/** What lost disputes have cost beyond the reserve, less what was collected of it. */
const collectableIn = (fold: Fold) =>
  -on(fold, 'dispute_exposure', 'dispute_lost') - on(fold, 'dispute_debt', 'debt_collected');

const earnedIn = (fold: Fold) =>
  -sum({
    PIX: on(fold, 'clearing:PIX', 'charge_paid'),
    CARD: on(fold, 'clearing:CARD', 'charge_paid'),
    BOLETO: on(fold, 'clearing:BOLETO', 'charge_paid'),
  });

function statementBalanceIn(fold: Fold): Cents {
  const counted = methods.flatMap((method) => [
    on(fold, `available:${method}`),
    on(fold, `pending:${method}`),
  ]);
  return counted.reduce((all, amount) => all + amount, on(fold, 'dispute_debt'));
}
