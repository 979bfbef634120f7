import { api, type BalanceView, transactionColumns } from '@plataforma/contracts';
import { type Queryable, readPages } from '@plataforma/data';
import { createBulkhead, pageOf, type Router, serve, serveCsv } from '@plataforma/http';
import { Refusal, type Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import type { LedgerDependencies } from '../dependencies.ts';
import { sum, type Wallet, withdrawable } from '../domain/wallet.ts';
import { isSearch, listTransactions } from '../store/statement.ts';
import { findWalletAt } from '../store/statement-balance.ts';
import { findWallet } from '../store/wallets.ts';
import { inLanguage } from './row-texts.ts';
import { transactionView } from './transaction-view.ts';

/**
 * Limits how many slow searches run at the same time, in total and for each merchant, because debits need the
 * same database connections.
 */
const searching = createBulkhead('searches');

export function walletRoutes(router: Router, { verifier, database, reads }: LedgerDependencies): void {
  serve(router, api.getBalance, {
    verifier,
    answer: async ({ query }, merchant) => {
      const wallet = query.at
        ? await walletAt(reads, merchant, new Date(query.at))
        : await findWallet(database, merchant);
      return { data: balanceView(wallet) };
    },
  });
  serveCsv(router, api.listTransactions, {
    verifier,
    columns: transactionColumns,
    name: 'transactions',
    async *batches(query, merchant) {
      const pages = readPages((slice) => listTransactions(reads, merchant, { ...query, ...slice }));
      for await (const rows of pages) yield inLanguage(rows, query.locale);
    },
    rowOf: (row) => row,
  });
  serve(router, api.listTransactions, {
    verifier,
    answer: async ({ query }, merchant) => {
      const page = await (isSearch(query)
        ? searching(merchant, () => listTransactions(reads, merchant, query))
        : listTransactions(reads, merchant, query));
      return pageOf(page, query, transactionView);
    },
  });
}

async function walletAt(reads: Queryable, merchant: Tenant, at: Date): Promise<Wallet> {
  const { wallet, now } = await findWalletAt(reads, merchant, at);
  const time = new Date(now.getTime() + (await aheadOf(reads, merchant)));
  if (at > time) throw new Refusal('invalid', 'VALIDATION_ERROR', 'at: must not be in the future');
  return wallet;
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
