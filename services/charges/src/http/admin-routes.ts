import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import {
  pageMeta,
  type Router,
  remembering,
  serveOperator,
  serveOperatorOnce,
  type Verifier,
} from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { type ActiveOperators, stopRoutes } from '@plataforma/service';
import type { Dispute } from '../disputes/domain/dispute.ts';
import { resolveDispute } from '../disputes/operations/resolve-dispute.ts';
import { openDispute } from '../disputes/steps/open-dispute.ts';
import { noSuchCharge } from '../domain/charge.ts';
import { findAnyCharge } from '../store/charges.ts';
import { heldOrders } from '../store/held-orders.ts';
import {
  listAllCharges,
  listAllDisputes,
  listRefunds,
  listUnexpectedPayments,
  readStory,
} from '../store/lists.ts';
import { alarmRoutes } from './alarm-routes.ts';
import {
  adminChargeView,
  adminDisputeInListView,
  adminDisputeView,
  refundView,
  unexpectedPaymentView,
} from './views.ts';

interface AdminRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
  log: Log;
  operators: ActiveOperators;
}

export function adminRoutes(router: Router, parts: AdminRoutes): void {
  const { verifier, database } = parts;

  serveOperator(router, api.listAllCharges, {
    verifier,
    answer: async ({ query }) => {
      const { items, total } = await listAllCharges(database, query);
      return { data: items.map(adminChargeView), meta: pageMeta(total, query) };
    },
  });
  serveOperator(router, api.inspectCharge, {
    verifier,
    answer: async ({ params }) => {
      const charge = await findAnyCharge(database, params.id);
      if (!charge || charge.status === 'DECLINED') throw noSuchCharge();
      const { refunds, disputes, unexpectedPayments } = await readStory(database, params.id);
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
    answer: async ({ query }) => {
      const { items, total } = await listRefunds(database, query);
      return { data: items.map(refundView), meta: pageMeta(total, query) };
    },
  });
  serveOperator(router, api.listUnexpectedPayments, {
    verifier,
    answer: async ({ query }) => {
      const { items, total } = await listUnexpectedPayments(database, query);
      return { data: items.map(unexpectedPaymentView), meta: pageMeta(total, query) };
    },
  });
  disputeDecisions(router, parts);
  alarmRoutes(router, parts);
  stopRoutes(router, { ...parts, orders: heldOrders });
}

function disputeDecisions(router: Router, parts: AdminRoutes): void {
  const { verifier, database, clock } = parts;

  serveOperatorOnce(router, api.openDispute, {
    verifier,
    database,
    answer: async ({ body }, { operatorId }, once) => {
      const deadline = body.deadline === undefined ? undefined : new Date(body.deadline);
      const notice = { ...body, deadline, providerReference: null, operatorId };
      return disputeAnswer(await openDispute(parts, notice, remembering(once, disputeAnswer).keep));
    },
  });
  serveOperator(router, api.listAllDisputes, {
    verifier,
    answer: async ({ query }) => {
      const { items, total } = await listAllDisputes(database, query, clock());
      return { data: items.map(adminDisputeInListView), meta: pageMeta(total, query) };
    },
  });
  serveOperator(router, api.resolveDispute, {
    verifier,
    answer: async ({ params, body }, { operatorId }) => {
      const decision = { id: params.id, ...body, operatorId };
      return { data: adminDisputeView(await resolveDispute(parts, decision)) };
    },
  });
}

function disputeAnswer(dispute: Dispute) {
  return { data: adminDisputeView(dispute) };
}
