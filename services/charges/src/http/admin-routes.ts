import { api } from '@plataforma/contracts';
import { pageOf, type Router, serveOperator } from '@plataforma/http';
import { stopRoutes } from '@plataforma/service';
import type { ChargesDependencies } from '../dependencies.ts';
import type { Dispute } from '../disputes/domain/dispute.ts';
import { adminDisputeView } from '../disputes/http/dispute-view.ts';
import { filesOf } from '../disputes/store/dispute-files.ts';
import { disputesOf } from '../disputes/store/dispute-lists.ts';
import { noSuchCharge } from '../domain/charge-refusals.ts';
import { reconcileDay } from '../reconciliation/operations/compare-day.ts';
import { findAnyCharge } from '../store/charges.ts';
import { listAllCharges, listAllRefunds, listAllUnmatchedPayments, readStory } from '../store/lists.ts';
import { stoppedOrders } from '../store/stopped-orders.ts';
import { alarmRoutes } from './alarm-routes.ts';
import { adminChargeView, adminRefundView, adminUnexpectedPaymentView } from './views.ts';

export function adminRoutes(router: Router, dependencies: ChargesDependencies): void {
  const { verifier, database, reads } = dependencies;
  const shownDispute = async (dispute: Dispute) =>
    adminDisputeView(dispute, await filesOf(database, dispute.id));

  serveOperator(router, api.listAllCharges, {
    verifier,
    answer: async ({ query }) => pageOf(await listAllCharges(reads, query), query, adminChargeView),
  });
  // This route comes first, because its path also matches the route of one charge.
  serveOperator(router, api.reconcile, {
    verifier,
    answer: async ({ query }) => ({ data: { ...query, ...(await reconcileDay(dependencies, query)) } }),
  });
  serveOperator(router, api.inspectCharge, {
    verifier,
    answer: async ({ params }) => {
      const charge = await findAnyCharge(database, params.id);
      if (!charge || charge.status === 'DECLINED') throw noSuchCharge();
      const [{ refunds, unmatchedPayments }, disputes] = await Promise.all([
        readStory(database, params.id),
        disputesOf(database, params.id),
      ]);
      const story = {
        refunds: refunds.map(adminRefundView),
        disputes: await Promise.all(disputes.map(shownDispute)),
        unexpectedPayments: unmatchedPayments.map(adminUnexpectedPaymentView),
      };
      return { data: { ...adminChargeView(charge), ...story } };
    },
  });
  serveOperator(router, api.listAllRefunds, {
    verifier,
    answer: async ({ query }) => pageOf(await listAllRefunds(reads, query), query, adminRefundView),
  });
  serveOperator(router, api.listAllUnexpectedPayments, {
    verifier,
    answer: async ({ query }) =>
      pageOf(await listAllUnmatchedPayments(reads, query), query, adminUnexpectedPaymentView),
  });
  alarmRoutes(router, dependencies);
  stopRoutes(router, { ...dependencies, orders: stoppedOrders });
}
