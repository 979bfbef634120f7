import { api, type WebhookFaultView } from '@plataforma/contracts';
import { webhookIdIn } from '@plataforma/contracts/webhook-fault';
import type { Database } from '@plataforma/data';
import { pageOf, type Router, remembering, serve, serveOnce, type Verifier } from '@plataforma/http';
import { demandSandbox } from '@plataforma/service';
import { noSuchFault, type WebhookFault } from '../domain/webhook-fault.ts';
import { createFault } from '../operations/create-fault.ts';
import { deleteFault, listFaults } from '../store/webhook-faults.ts';

/** What a merchant makes go wrong in the sandbox. */
export function faultRoutes(
  router: Router,
  { verifier, database }: { verifier: Verifier; database: Database },
): void {
  serveOnce(router, api.createWebhookFault, {
    database,
    verifier,
    answer: async ({ body }, merchant, once) => {
      const { keep } = remembering(once, (fault: WebhookFault) => ({ data: faultView(fault) }));
      const webhookId = webhookIdIn(body) ?? '';
      return { data: faultView(await createFault({ database, keep }, merchant, { ...body, webhookId })) };
    },
  });
  serve(router, api.listWebhookFaults, {
    verifier,
    answer: async ({ query }, merchant) => {
      demandSandbox(merchant);
      return pageOf(
        await listFaults(database, merchant, { ...query, webhookId: webhookIdIn(query) }),
        query,
        faultView,
      );
    },
  });
  serve(router, api.deleteWebhookFault, {
    verifier,
    answer: async ({ params }, merchant) => {
      demandSandbox(merchant);
      if (!(await deleteFault(database, merchant, params.id))) throw noSuchFault();
      return { data: { message: 'the webhook fault is ended' } };
    },
  });
}

function faultView({
  id,
  configurationId,
  kind,
  count,
  remaining,
  createdAt,
}: WebhookFault): WebhookFaultView {
  const ids = { id, webhookId: configurationId, configId: configurationId };
  return { ...ids, kind, count, left: remaining, createdAt: createdAt.toISOString() };
}
