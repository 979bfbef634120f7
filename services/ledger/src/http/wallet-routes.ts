import {
  api,
  type BalanceView,
  type StatementQuery,
  type WalletTransactionView,
} from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import { createBulkhead, pageOf, type Router, serve, serveCsv, type Verifier } from '@plataforma/http';
import { dayOf, Refusal, type Tenant } from '@plataforma/kernel';
import type { WalletTransaction } from '../domain/statement.ts';
import { csvHeader, csvLines } from '../domain/statement-csv.ts';
import { sum, type Wallet, withdrawable } from '../domain/wallet.ts';
import { isSearch, listTransactions, readStatement } from '../store/statement.ts';
import { findWalletAt } from '../store/statement-balance.ts';
import { findWallet } from '../store/wallets.ts';

interface Parts {
  verifier: Verifier;
  database: Database;
  reads: Queryable;
}

/** What reads many rows gets few of the connections that debits need as well, and no merchant all of those. */
const searching = createBulkhead({
  total: 3,
  perHolder: 2,
  full: 'too many lists are being searched; try again shortly',
});
const writingFiles = createBulkhead({
  total: 4,
  perHolder: 2,
  full: 'too many statements are being written; try again when yours is done',
});

export function walletRoutes(router: Router, { verifier, database, reads }: Parts): void {
  serve(router, api.getBalance, {
    verifier,
    answer: async ({ query }, merchant) => {
      const wallet = query.at
        ? await walletAt(reads, merchant, new Date(query.at))
        : await findWallet(database, merchant);
      return { data: balanceView(wallet) };
    },
  });
  serve(router, api.listTransactions, {
    verifier,
    answer: async ({ query }, merchant) => {
      const page = await (isSearch(query)
        ? searching(merchant.merchantId, () => listTransactions(reads, merchant, query))
        : listTransactions(reads, merchant, query));
      return pageOf(page, query, transactionView);
    },
  });
  serveCsv(router, api.getStatement, {
    verifier,
    writing: writingFiles,
    file: (query, merchant) => ({
      name: fileName(query),
      chunks: csvOf(readStatement(reads, merchant, query)),
    }),
  });
  serve(router, api.getStatement, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await listTransactions(reads, merchant, query), query, transactionView),
  });
}

async function walletAt(reads: Queryable, merchant: Tenant, at: Date): Promise<Wallet> {
  const { wallet, now } = await findWalletAt(reads, merchant, at);
  if (at > now) throw new Refusal('invalid', 'VALIDATION_ERROR', 'at: must not be in the future');
  return wallet;
}

/** The header comes with the first rows, so that nothing is sent before they could be read. */
async function* csvOf(batches: AsyncGenerator<WalletTransaction[]>): AsyncGenerator<string> {
  const first = await batches.next();
  yield csvHeader + csvLines(first.value ?? []);
  for await (const rows of batches) yield csvLines(rows);
}

function fileName({ startDate, endDate, timeZone = 'UTC' }: StatementQuery): string {
  const first = startDate && dayOf(startDate, timeZone);
  const last = endDate && dayOf(new Date(endDate.getTime() - 1), timeZone);
  return ['statement', first && `from-${first}`, last && `to-${last}`]
    .filter((part) => part !== undefined)
    .join('-')
    .concat('.csv');
}

function transactionView(row: WalletTransaction): WalletTransactionView {
  return {
    id: row.id,
    type: row.type,
    amount: row.amount,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    chargeId: row.chargeId,
    withdrawalId: row.withdrawalId,
    paymentMethod: row.paymentMethod,
    balanceAfter: row.balanceAfter,
  };
}

function balanceView(wallet: Wallet): BalanceView {
  return {
    availableBalance: sum(wallet.available),
    withdrawableBalance: withdrawable(wallet),
    disputeDebt: wallet.disputeDebt,
    pendingBalance: sum(wallet.pending),
    reservedBalance: sum(wallet.reserved),
    blockedBalance: sum(wallet.blocked),
    totalEarned: wallet.totalEarned,
    totalWithdrawn: wallet.totalWithdrawn,
    totalFeesPaid: wallet.totalFeesPaid,
    breakdown: {
      PIX: { availableBalance: wallet.available.PIX, pendingBalance: wallet.pending.PIX },
      CARD: { availableBalance: wallet.available.CARD, pendingBalance: wallet.pending.CARD },
      BOLETO: { availableBalance: wallet.available.BOLETO, pendingBalance: wallet.pending.BOLETO },
    },
  };
}
