import { api, type DisputeQuery, disputeColumns } from '@plataforma/contracts';
import { type Queryable, readPages, type Slice } from '@plataforma/data';
import {
  type MerchantIdentity,
  pageOf,
  type Router,
  serve,
  serveCsv,
  serveIdempotent,
  serveOperator,
  serveOperatorIdempotent,
} from '@plataforma/http';
import { proposalRoutes, proposalView } from '@plataforma/service';
import type { ChargesDependencies } from '../../dependencies.ts';
import { withReadableNames } from '../../http/readable-names.ts';
import type { Dispute } from '../domain/dispute.ts';
import { disputeInSandbox } from '../operations/dispute-in-sandbox.ts';
import { endAtBank } from '../operations/end-at-bank.ts';
import { openDisputeByOperator } from '../operations/open-dispute.ts';
import { type ResolveDispute, resolveByOperator, resolveDispute } from '../operations/resolve-dispute.ts';
import { sendEvidence } from '../operations/send-evidence.ts';
import { filesOf } from '../store/dispute-files.ts';
import { listAllDisputes, listDisputes } from '../store/dispute-lists.ts';
import { getDispute } from '../store/disputes.ts';
import { adminDisputeInListView, adminDisputeView, disputeInListView, disputeView } from './dispute-view.ts';

export function disputeRoutes(router: Router, shared: ChargesDependencies): void {
  const dependencies = {
    ...shared,
    endAtBank: (dispute: { id: string; attempts: number }) => endAtBank(shared, dispute),
  };
  const { verifier, database, reads } = dependencies;

  const disputesOf = async (merchant: MerchantIdentity, query: DisputeQuery & Slice) =>
    withReadableNames(await listDisputes(reads, merchant, query), merchant);
  serveCsv(router, api.listDisputes, {
    verifier,
    columns: disputeColumns,
    name: 'disputes',
    batches: (query, merchant) => readPages((slice) => disputesOf(merchant, { ...query, ...slice })),
    rowOf: (dispute) => {
      const { evidence, ...view } = disputeInListView(dispute);
      return { ...view, evidenceSentAt: evidence?.sentAt ?? null };
    },
  });
  serve(router, api.listDisputes, {
    verifier,
    answer: async ({ query }, merchant) =>
      pageOf(await disputesOf(merchant, query), query, disputeInListView),
  });
  serve(router, api.getDispute, {
    verifier,
    answer: async ({ params }, merchant) =>
      disputeAnswer(await getDispute(database, merchant, params.id), database),
  });
  serveIdempotent(router, api.sendEvidence, {
    verifier,
    database,
    work: ({ params, body }, tenant, { saveResponse }) =>
      sendEvidence(dependencies, { tenant, id: params.id, ...body }, saveResponse),
    show: disputeAnswer,
  });
  serveIdempotent(router, api.disputeSandboxCharge, {
    verifier,
    database,
    work: ({ params, body }, tenant, idempotency) =>
      disputeInSandbox(dependencies, { tenant, id: params.id, ...body }, idempotency),
    show: disputeAnswer,
  });
  serve(router, api.resolveSandboxDispute, {
    verifier,
    answer: async ({ params, body }, tenant) => {
      const decision = { id: params.id, ...body, by: { tenant } };
      return disputeAnswer(await resolveDispute(dependencies, decision), database);
    },
  });
  decisionRoutes(router, dependencies);
  proposalRoutes(router, { ...dependencies, ...dependencies.proposals });
}

function decisionRoutes(router: Router, dependencies: ChargesDependencies & ResolveDispute): void {
  const { verifier, database, reads, clock, proposals } = dependencies;

  serveOperatorIdempotent(router, api.openDispute, {
    verifier,
    database,
    work: ({ body }, { operatorId }, { saveResponse }) => {
      const deadline = body.deadline === undefined ? undefined : new Date(body.deadline);
      return openDisputeByOperator(
        dependencies,
        { ...body, deadline, providerReference: null, operatorId },
        saveResponse,
      );
    },
    // A new dispute has no files.
    show: (dispute: Dispute) => ({ data: adminDisputeView(dispute, []) }),
  });
  serveOperator(router, api.listAllDisputes, {
    verifier,
    answer: async ({ query }) =>
      pageOf(await listAllDisputes(reads, query, clock()), query, adminDisputeInListView),
  });
  serveOperator(router, api.resolveDispute, {
    verifier,
    answer: async ({ params, body }, { operatorId }) => {
      const resolved = await resolveByOperator(dependencies, { id: params.id, ...body, operatorId });
      if ('proposal' in resolved) return { status: 202, data: proposalView(proposals)(resolved.proposal) };
      const { done } = resolved;
      return { data: adminDisputeView(done, await filesOf(database, done.id)) };
    },
  });
}

async function disputeAnswer(dispute: Dispute, db: Queryable) {
  return { data: disputeView(dispute, await filesOf(db, dispute.id)) };
}
