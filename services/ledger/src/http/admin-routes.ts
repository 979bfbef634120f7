import { type AdjustmentView, api, type BlockView, verifyOwnBooks } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import {
  type Router,
  requireService,
  serveOperator,
  serveOperatorIdempotent,
  validate,
} from '@plataforma/http';
import { type Environment, newId, type Tenant } from '@plataforma/kernel';
import type { z } from 'zod';
import type { LedgerDependencies } from '../dependencies.ts';
import { type Account, isMerchantAccount } from '../domain/account.ts';
import { cursorOf, progressIn } from '../domain/progress.ts';
import { changeWallet, type WalletChange } from '../operations/change-wallet.ts';
import { type Sums, sumAccounts, sumAccountsOf } from '../store/accounts.ts';
import { verifyBooks } from '../store/verify-books.ts';

export function adminRoutes(router: Router, dependencies: LedgerDependencies): void {
  walletChanges(router, dependencies);
  const { verifier, database } = dependencies;

  serveOperator(router, api.listAccounts, {
    verifier,
    answer: async ({ query }) => ({ data: await balancesFor(database, query) }),
  });
  serveOperator(router, api.readTrialBalance, {
    verifier,
    answer: async ({ query: { environment } }) => {
      const sums = await sumAccounts(database, environment);
      const accounts = balancesOf(sums, null).map(({ account, amount }) => ({ account, amount }));
      const total = accounts.reduce((all, { amount }) => all + amount, 0);
      return { data: { environment, total, accounts } };
    },
  });
  const ownBooks = async ({ after, ...scope }: z.output<typeof verifyOwnBooks.query>) => {
    const { next, ...verified } = await verifyBooks(database, { ...scope, after: progressIn(after) });
    return { ...verified, next: next && cursorOf(next) };
  };
  serveOperator(router, verifyOwnBooks, {
    verifier,
    answer: async ({ query }) => ({ data: await ownBooks(query) }),
  });
  router.get('/internal/books/verify', async (req, res) => {
    requireService(req, verifier, 'gateway');
    res.json({ success: true, data: await ownBooks(validate(verifyOwnBooks.query, req.query)) });
  });
}

function walletChanges(router: Router, dependencies: LedgerDependencies): void {
  const { verifier, database, clock } = dependencies;
  const changeOf = (
    kind: WalletChange['kind'],
    { id, merchantId, environment, amount }: Tenant & { id?: string | undefined; amount: number },
    memo: string,
  ): WalletChange => {
    const occurredAt = clock().toISOString();
    return { kind, reference: id ?? newId(), merchantId, environment, amount, memo, occurredAt };
  };

  serveOperatorIdempotent(router, api.blockMoney, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) =>
      changeWallet(dependencies, changeOf('block', body, body.reason), { operatorId, saveResponse }),
    show: blockAnswer,
  });
  serveOperatorIdempotent(router, api.unblockMoney, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) =>
      changeWallet(dependencies, changeOf('unblock', body, body.reason), { operatorId, saveResponse }),
    show: blockAnswer,
  });
  serveOperatorIdempotent(router, api.adjustWallet, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) =>
      changeWallet(dependencies, changeOf('adjustment', body, body.description), {
        operatorId,
        saveResponse,
      }),
    show: adjustmentAnswer,
  });
}

function viewOf({ reference: id, merchantId, environment, amount, occurredAt: createdAt }: WalletChange) {
  return { id, merchantId, environment, amount, createdAt };
}

function blockAnswer(change: WalletChange): { data: BlockView } {
  return { data: { ...viewOf(change), reason: change.memo } };
}

function adjustmentAnswer(change: WalletChange): { data: AdjustmentView } {
  return { data: { ...viewOf(change), description: change.memo } };
}

interface WalletQuery {
  merchantId?: string | undefined;
  environment: Environment;
  account?: Account | undefined;
}

/**
 * Returns balances. If a merchant's account is requested, omits the platform's accounts, because their sums
 * take long.
 */
async function balancesFor(database: Database, { merchantId, environment, account: only }: WalletQuery) {
  const ofPlatform =
    only && isMerchantAccount(only) ? new Map<Account, number>() : await sumAccounts(database, environment);
  const ofMerchant = merchantId
    ? await sumAccountsOf(database, { merchantId, environment })
    : new Map<Account, number>();
  return [
    ...balancesOf(ofPlatform, null).filter(({ account }) => !isMerchantAccount(account)),
    ...balancesOf(ofMerchant, merchantId ?? null).filter(({ account }) => isMerchantAccount(account)),
  ].filter(({ account }) => only === undefined || account === only);
}

function balancesOf(sums: Sums, merchantId: string | null) {
  return [...sums]
    .map(([account, amount]) => ({ account, merchantId, amount }))
    .toSorted((one, other) => (one.account < other.account ? -1 : 1));
}
