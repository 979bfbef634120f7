import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageMeta, type Router, remembering, serve, serveOnce, type Verifier } from '@plataforma/http';
import type { Clock } from '@plataforma/kernel';
import { disputeInListView, disputeView } from '../../http/views.ts';
import { listDisputes } from '../../store/lists.ts';
import { type Dispute, noSuchDispute } from '../domain/dispute.ts';
import { sendEvidence } from '../operations/send-evidence.ts';
import { findDispute } from '../store/disputes.ts';

interface DisputeRoutes {
  verifier: Verifier;
  database: Database;
  clock: Clock;
}

export function disputeRoutes(router: Router, parts: DisputeRoutes): void {
  const { verifier, database } = parts;

  serve(router, api.listDisputes, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { items, total } = await listDisputes(database, merchant, query);
      return { data: items.map(disputeInListView), meta: pageMeta(total, query) };
    },
  });
  serve(router, api.getDispute, {
    verifier,
    answer: async ({ params }, merchant) => {
      const dispute = await findDispute(database, merchant, params.id);
      if (!dispute) throw noSuchDispute();
      return { data: disputeView(dispute) };
    },
  });
  serveOnce(router, api.sendEvidence, {
    verifier,
    database,
    answer: async ({ params, body }, tenant, once) => {
      const sent = { tenant, id: params.id, ...body };
      return disputeAnswer(await sendEvidence(parts, sent, remembering(once, disputeAnswer).keep));
    },
  });
}

function disputeAnswer(dispute: Dispute) {
  return { data: disputeView(dispute) };
}
