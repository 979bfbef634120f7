import { api } from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import { pageOf, type Router, serveOperator, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type ActiveOperators, stopRoutes } from '@plataforma/service';
import { adminDisputeView } from '../disputes/http/dispute-view.ts';
import { disputesOf } from '../disputes/store/dispute-lists.ts';
import { noSuchCharge } from '../domain/charge.ts';
import { findAnyCharge } from '../store/charges.ts';
import { heldOrders } from '../store/held-orders.ts';
import { listAllCharges, listRefunds, listUnexpectedPayments, readStory } from '../store/lists.ts';
import { alarmRoutes } from './alarm-routes.ts';
import { adminChargeView, refundView, unexpectedPaymentView } from './views.ts';

interface AdminRoutes {
  verifier: Verifier;
  database: Database;
  reads: Queryable;
  clock: Clock;
  log: Log;
  operators: ActiveOperators;
}

export function adminRoutes(router: Router, parts: AdminRoutes): void {
  const { verifier, database, reads } = parts;

  serveOperator(router, api.listAllCharges, {
    verifier,
    answer: async ({ query }) => pageOf(await listAllCharges(reads, query), query, adminChargeView),
  });
  serveOperator(router, api.inspectCharge, {
    verifier,
    answer: async ({ params }) => {
      const charge = await findAnyCharge(database, params.id);
      if (!charge || charge.status === 'DECLINED') throw noSuchCharge();
      const [{ refunds, unexpectedPayments }, disputes] = await Promise.all([
        readStory(database, params.id),
        disputesOf(database, params.id),
      ]);
      const story = {
        refunds: refunds.map(refundView),
        disputes: disputes.map(adminDisputeView),
        unexpectedPayments: unexpectedPayments.map(unexpectedPaymentView),
      };
      return { data: { ...adminChargeView(charge), ...story } };
    },
  });
  serveOperator(router, api.listRefunds, {
    verifier,
    answer: async ({ query }) => pageOf(await listRefunds(reads, query), query, refundView),
  });
  serveOperator(router, api.listUnexpectedPayments, {
    verifier,
    answer: async ({ query }) =>
      pageOf(await listUnexpectedPayments(reads, query), query, unexpectedPaymentView),
  });
  alarmRoutes(router, parts);
  stopRoutes(router, { ...parts, orders: heldOrders });
}
