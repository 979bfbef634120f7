import { api, withdrawalColumns } from '@plataforma/contracts';
import { readPages } from '@plataforma/data';
import {
  type IdempotencyRecord,
  pageMeta,
  type Router,
  serve,
  serveCsv,
  serveIdempotent,
} from '@plataforma/http';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { warningOfKey } from '../domain/sandbox-warnings.ts';
import { noSuchWithdrawal } from '../domain/withdrawal.ts';
import { cancelWithdrawal } from '../operations/cancel-withdrawal.ts';
import { type Created, createWithdrawal } from '../operations/create-withdrawal.ts';
import { readOrder, refuseReused } from '../signed-orders.ts';
import { listWithdrawals } from '../store/withdrawal-lists.ts';
import { findWithdrawal } from '../store/withdrawals.ts';
import { show, showAll } from './show-withdrawals.ts';
import { withdrawalView } from './views.ts';
import { withdrawalRequestOf } from './withdrawal-request.ts';

export function withdrawalRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, database, reads, orderVerifier } = dependencies;
  serveIdempotent(router, api.createWithdrawal, {
    verifier,
    database,
    warn: ({ body: { pixKey, pixKeyType } }, { environment }) =>
      pixKey && pixKeyType ? warningOfKey(pixKeyType, pixKey, environment) : null,
    work: async ({ body, order: received }, tenant, idempotency: IdempotencyRecord<Created>) => {
      const order = readOrder(orderVerifier, received, tenant);
      const request = withdrawalRequestOf(body, tenant.environment, order);
      const creating = createWithdrawal(dependencies, { tenant, request }, idempotency);
      return creating.catch((error) => refuseReused(orderVerifier, order, error));
    },
    show: async ({ withdrawal, createdByRequest }, db) => ({
      data: await show({ ...dependencies, db }, withdrawal, withdrawalView),
      status: createdByRequest ? 201 : 200,
    }),
  });
  serveCsv(router, api.listWithdrawals, {
    verifier,
    columns: withdrawalColumns,
    name: 'withdrawals',
    batches: (query, merchant) =>
      readPages((slice) => listWithdrawals(reads, merchant, { ...query, ...slice })),
    rowOf: (withdrawal, { locale }) => {
      const { bankAccount, waitingFor: _waitingFor, ...view } = withdrawalView(withdrawal, null);
      // Omit the fee of a failed or rejected withdrawal, so that the column's sum equals the fees that were
      // charged.
      const isFree = locale && (view.failedAt ?? view.rejectedAt);
      return { ...view, ...bankAccount, ...(isFree && { fee: null, netAmount: null }) };
    },
  });
  serve(router, api.listWithdrawals, {
    verifier,
    answer: async ({ query }, merchant) => {
      const page = await listWithdrawals(reads, merchant, query);
      return {
        data: await showAll({ ...dependencies, db: reads }, page.items, withdrawalView),
        meta: pageMeta(page, query),
      };
    },
  });
  serve(router, api.getWithdrawal, {
    verifier,
    answer: async ({ params }, merchant) => {
      const withdrawal = await findWithdrawal(database, merchant, params.id);
      if (!withdrawal) throw noSuchWithdrawal();
      return { data: await show({ ...dependencies, db: database }, withdrawal, withdrawalView) };
    },
  });
  serve(router, api.cancelWithdrawal, {
    verifier,
    answer: async ({ params }, merchant) => ({
      data: withdrawalView(await cancelWithdrawal(dependencies, merchant, params.id), null),
    }),
  });
}
