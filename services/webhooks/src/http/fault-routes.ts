import { api, type WebhookFaultView } from '@plataforma/contracts';
import { webhookIdIn } from '@plataforma/contracts/webhook-fault';
import { pageOf, type Router, serve, serveIdempotent } from '@plataforma/http';
import { requireSandbox } from '@plataforma/service';
import type { WebhooksDependencies } from '../dependencies.ts';
import { noSuchFault, type WebhookFault } from '../domain/webhook-fault.ts';
import { createFault } from '../operations/create-fault.ts';
import { deleteFault, listFaults } from '../store/webhook-faults.ts';

export function faultRoutes(router: Router, { verifier, database }: WebhooksDependencies): void {
  serveIdempotent(router, api.createWebhookFault, {
    database,
    verifier,
    work: ({ body }, merchant, { saveResponse }) =>
      createFault({ database, saveResponse }, merchant, { ...body, webhookId: webhookIdIn(body) ?? '' }),
    show: (fault: WebhookFault) => ({ data: faultView(fault) }),
  });
  serve(router, api.listWebhookFaults, {
    verifier,
    answer: async ({ query }, merchant) => {
      requireSandbox(merchant);
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
      requireSandbox(merchant);
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
