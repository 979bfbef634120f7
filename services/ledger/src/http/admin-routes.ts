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
import { requestChange, shownOr202 } from '@plataforma/service';
import type { z } from 'zod';
import type { LedgerDependencies } from '../dependencies.ts';
import { type Account, isMerchantAccount } from '../domain/account.ts';
import { cursorOf, progressIn } from '../domain/progress.ts';
import { changeWallet, type WalletChange } from '../operations/change-wallet.ts';
import { type Sums, sumAccounts, sumAccountsOf } from '../store/accounts.ts';
import { verifyBooks } from '../store/verify-books.ts';
import { walletActions } from '../wallet-actions.ts';

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
  const { verifier, database, clock, proposals } = dependencies;
  const shownUnblock = shownOr202(proposals, blockView);
  const shownAdjustment = shownOr202(proposals, adjustmentView);
  const changeOf = (
    kind: 'block',
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
    show: (done: WalletChange) => ({ data: blockView(done) }),
  });
  serveOperatorIdempotent(router, api.unblockMoney, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) =>
      requestChange(proposals, unblock, walletRequest(body, body.reason, operatorId), saveResponse),
    show: shownUnblock,
  });
  serveOperatorIdempotent(router, api.adjustWallet, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) =>
      requestChange(proposals, adjustment, walletRequest(body, body.description, operatorId), saveResponse),
    show: shownAdjustment,
  });
}

const { adjustment, unblock } = walletActions;

/** Builds the request for an operator's change of a wallet. Creates an id if the change has none. */
function walletRequest(
  { id, ...body }: Tenant & { id?: string | undefined; amount: number },
  reason: string,
  operatorId: string,
) {
  const { merchantId, environment, amount } = body;
  const subjectId = id ?? newId();
  const given = { reference: subjectId, merchantId, environment, amount, memo: reason };
  return { operatorId, arguments: given, subjectId, merchantId, environment, amount, reason };
}

function viewOf({ reference: id, merchantId, environment, amount, occurredAt: createdAt }: WalletChange) {
  return { id, merchantId, environment, amount, createdAt };
}

function blockView(change: WalletChange): BlockView {
  return { ...viewOf(change), reason: change.memo };
}

function adjustmentView(change: WalletChange): AdjustmentView {
  return { ...viewOf(change), description: change.memo };
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
