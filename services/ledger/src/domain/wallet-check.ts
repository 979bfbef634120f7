import type { Cents } from '@plataforma/kernel';
import type { Account } from './account.ts';
import type { Entry } from './entry.ts';
import type { StatementRow } from './posting.ts';
import type { Difference } from './row-counts.ts';
import { methods, pockets, sum, type Wallet } from './wallet.ts';

export interface WalletSums {
  lines: { kind: Entry['kind']; account: Account; amount: Cents }[];
  rows: { type: StatementRow['type']; amount: Cents }[];
  /** The pending cents of each charge. Charges without pending money are absent. */
  pending: Map<string, Cents>;
  /**
   * The sequence number of the last entry. `lastBalance` is the balance in the last statement row, or null.
   */
  lastSequence: number;
  lastBalance: Cents | null;
}

/** The stored balances and receivables, which must equal the values computed from the entries. */
interface Projections {
  wallet: Wallet;
  receivables: Map<string, Cents>;
}

/**
 * Lists the differences between the stored wallet with its receivables and the values computed from its
 * entries.
 */
export function walletDifferences({ wallet, receivables }: Projections, sums: WalletSums): Difference[] {
  return [
    ...pocketDifferences(wallet, sums),
    ...differing('dispute debt', wallet.disputeDebt, -on(sums, 'dispute_debt')),
    ...differing('collectable debt', wallet.collectableDebt, collectableIn(sums)),
    ...differing('total earned', wallet.totalEarned, earnedIn(sums)),
    ...differing('total withdrawn', wallet.totalWithdrawn, -ofType(sums, 'WITHDRAWAL')),
    ...differing('total fees paid', wallet.totalFeesPaid, -ofType(sums, 'FEE')),
    ...differing('sum of rows', total(sums.rows), statementBalanceIn(sums)),
    ...(sums.lastBalance === null
      ? []
      : differing('last balanceAfter', sums.lastBalance, statementBalanceIn(sums))),
    ...differing('length of the chain', wallet.chain.sequence, sums.lastSequence),
    ...receivableDifferences(receivables, sums.pending),
  ];
}

function pocketDifferences(wallet: Wallet, sums: WalletSums): Difference[] {
  return pockets.flatMap((pocket) =>
    methods.flatMap((method) => {
      const account = `${pocket}:${method}` as const;
      return differing(account, wallet[pocket][method], on(sums, account));
    }),
  );
}

function receivableDifferences(recorded: Map<string, Cents>, pending: Map<string, Cents>): Difference[] {
  const charges = new Set([...recorded.keys(), ...pending.keys()]);
  return [...charges].flatMap((charge) =>
    differing(`receivable of charge ${charge}`, recorded.get(charge) ?? 0, pending.get(charge) ?? 0),
  );
}

function differing(name: string, recorded: Cents, computed: Cents): Difference[] {
  // `+ 0` turns -0 into 0.
  return recorded + 0 === computed + 0 ? [] : [{ what: name, recorded, computed: computed + 0 }];
}

const total = (amounts: readonly { amount: Cents }[]) => amounts.reduce((all, { amount }) => all + amount, 0);

const on = ({ lines }: WalletSums, account: Account, kind?: Entry['kind']) =>
  total(lines.filter((line) => line.account === account && (kind === undefined || line.kind === kind)));

const ofType = ({ rows }: WalletSums, type: StatementRow['type']) =>
  total(rows.filter((row) => row.type === type));

/** Returns the debt of lost disputes: their uncovered amounts less the debt that was already paid. */
const collectableIn = (sums: WalletSums) =>
  -on(sums, 'dispute_exposure', 'dispute_lost') - on(sums, 'dispute_debt', 'debt_collected');

const earnedIn = (sums: WalletSums) =>
  -sum({
    PIX: on(sums, 'clearing:PIX', 'charge_paid'),
    CARD: on(sums, 'clearing:CARD', 'charge_paid'),
    BOLETO: on(sums, 'clearing:BOLETO', 'charge_paid'),
  });

function statementBalanceIn(sums: WalletSums): Cents {
  const counted = methods.flatMap((method) => [
    on(sums, `available:${method}`),
    on(sums, `pending:${method}`),
  ]);
  return counted.reduce((all, amount) => all + amount, on(sums, 'dispute_debt'));
}
