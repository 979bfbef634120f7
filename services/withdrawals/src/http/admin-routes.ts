import { api } from '@plataforma/contracts';
import { pageMeta, pageOf, type Router, serveOperator } from '@plataforma/http';
import { proposalRoutes, shownOr202, stopRoutes } from '@plataforma/service';
import type { WithdrawalsDependencies } from '../dependencies.ts';
import { isBooksMismatch } from '../domain/proof.ts';
import { isVisible, noSuchWithdrawal, type Withdrawal } from '../domain/withdrawal.ts';
import { approveWithdrawal } from '../operations/approve-withdrawal.ts';
import { endByOperator, endTed } from '../operations/end-by-operator.ts';
import { debitAnew, failUndebited } from '../operations/resolve-undebited.ts';
import { readDecision } from '../signed-orders.ts';
import { listAllWithdrawals, listPayoutAlarms } from '../store/lists.ts';
import { alarmsOf } from '../store/payout-alarms.ts';
import { findAnyWithdrawal, stoppedPayouts } from '../store/withdrawals.ts';
import { alarmRoutes } from './alarm-routes.ts';
import { show, showAll } from './show-withdrawals.ts';
import { adminWithdrawalView, alarmView } from './views.ts';

const STUCK_AFTER_MS = 600_000;

export function adminRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, database, reads, clock, orderVerifier } = dependencies;

  serveOperator(router, api.listAllWithdrawals, {
    verifier,
    answer: async ({ query }) => {
      const stuckSince = new Date(clock().getTime() - STUCK_AFTER_MS);
      const page = await listAllWithdrawals(reads, query, stuckSince);
      return {
        data: await showAll({ ...dependencies, db: reads }, page.items, adminWithdrawalView),
        meta: pageMeta(page, query),
      };
    },
  });
  serveOperator(router, api.inspectWithdrawal, {
    verifier,
    answer: async ({ params }) => {
      const withdrawal = await findAnyWithdrawal(database, params.id);
      if (!withdrawal || !isVisible(withdrawal)) throw noSuchWithdrawal();
      const ends = (await alarmsOf(database, params.id)).filter(({ kind }) => !isBooksMismatch(kind));
      const shown = await show({ ...dependencies, db: database }, withdrawal, adminWithdrawalView);
      return { data: { ...shown, alarms: ends.map(alarmView) } };
    },
  });
  serveOperator(router, api.listPayoutAlarms, {
    verifier,
    answer: async ({ query }) => pageOf(await listPayoutAlarms(reads, query), query, alarmView),
  });
  serveOperator(router, api.approveWithdrawal, {
    verifier,
    answer: async ({ params: { id }, order }, { operatorId }) => {
      const token = readDecision(orderVerifier, order, { id, operatorId, step: 'approve' });
      const approved = await approveWithdrawal(dependencies, { id, by: { operatorId }, token });
      return { data: await show({ ...dependencies, db: database }, approved, adminWithdrawalView) };
    },
  });
  endRoutes(router, dependencies);
  undebitedRoutes(router, dependencies);
  alarmRoutes(router, dependencies);
  stopRoutes(router, { ...dependencies, orders: [stoppedPayouts] });
  proposalRoutes(router, { ...dependencies, ...dependencies.proposals });
}

function endRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, proposals } = dependencies;
  const view = (ended: Withdrawal) => adminWithdrawalView(ended, null);
  const shown = shownOr202(proposals, view);

  serveOperator(router, api.rejectWithdrawal, {
    verifier,
    answer: async ({ params: { id }, body: { reason } }, { operatorId }) => ({
      data: view(await endByOperator(dependencies, { id, by: { operatorId }, step: 'reject', reason })),
    }),
  });
  serveOperator(router, api.completeWithdrawal, {
    verifier,
    answer: async ({ params: { id }, body }, { operatorId }) =>
      shown(await endTed(dependencies, { id, by: { operatorId }, step: 'complete', ...body })),
  });
  serveOperator(router, api.failWithdrawal, {
    verifier,
    answer: async ({ params: { id }, body }, { operatorId }) =>
      shown(await endTed(dependencies, { id, by: { operatorId }, step: 'fail', ...body })),
  });
}

function undebitedRoutes(router: Router, dependencies: WithdrawalsDependencies): void {
  const { verifier, database, orderVerifier } = dependencies;
  serveOperator(router, api.debitWithdrawalAnew, {
    verifier,
    answer: async ({ params: { id }, body: { note }, order }, { operatorId }) => {
      const token = readDecision(orderVerifier, order, { id, operatorId, step: 'debit' });
      const debited = await debitAnew(dependencies, { id, operatorId, note, token });
      return { data: await show({ ...dependencies, db: database }, debited, adminWithdrawalView) };
    },
  });
  serveOperator(router, api.failUndebitedWithdrawal, {
    verifier,
    answer: async ({ params: { id }, body: { note } }, { operatorId }) => ({
      data: adminWithdrawalView(await failUndebited(dependencies, { id, operatorId, note }), null),
    }),
  });
}
