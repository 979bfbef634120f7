import { type Database, pageMeta, type Router, serve, type Verifier } from '@plataforma/chassis';
import { api } from '@plataforma/contracts';
import type { Clock } from '@plataforma/kernel';
import { noSuchDispute } from '../domain/dispute.ts';
import { sendEvidence } from '../operations/send-evidence.ts';
import { findDispute } from '../store/disputes.ts';
import { listDisputes } from '../store/lists.ts';
import { disputeView } from './views.ts';

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
      return { data: items.map(disputeView), meta: pageMeta(total, query) };
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
  serve(router, api.sendEvidence, {
    verifier,
    answer: async ({ params, body }, merchant) => ({
      data: disputeView(await sendEvidence(parts, merchant, { id: params.id, ...body })),
    }),
  });
}
