import { api } from '@plataforma/contracts';
import { pageOf, type Router, serve, serveIdempotent } from '@plataforma/http';
import type { WebhooksDependencies } from '../dependencies.ts';
import { noSuchDelivery } from '../domain/delivery.ts';
import { resendDelivery } from '../operations/resend.ts';
import { findDelivery, type ListedDelivery, listDeliveries } from '../store/delivery-lists.ts';
import { deliveryView, storyView } from './delivery-view.ts';
import { deliveredTypes } from './readable-types.ts';

export function deliveryRoutes(router: Router, { verifier, database, reads }: WebhooksDependencies): void {
  serve(router, api.listWebhookDeliveries, {
    verifier,
    answer: async ({ query }, merchant) => {
      const types = deliveredTypes(merchant.scopes);
      return pageOf(await listDeliveries(reads, merchant, { ...query, types }), query, deliveryView);
    },
  });
  serve(router, api.getWebhookDelivery, {
    verifier,
    answer: async ({ params }, merchant) => {
      const story = await findDelivery(database, merchant, params.id);
      const types = deliveredTypes(merchant.scopes);
      if (!story || types?.includes(story.event) === false) throw noSuchDelivery();
      return { data: storyView(story) };
    },
  });
  serveIdempotent(router, api.resendWebhookDelivery, {
    ...{ verifier, database },
    work: ({ params }, merchant, { saveResponse }) =>
      resendDelivery({ database, saveResponse }, merchant, params.id),
    show: (resent: ListedDelivery) => ({ data: deliveryView(resent) }),
  });
}
