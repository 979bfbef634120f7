import { api } from '@plataforma/contracts';
import { pageOf, type Router, serve } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { WebhooksDependencies } from '../dependencies.ts';
import { findDelivery, listDeliveries } from '../store/delivery-lists.ts';
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
      if (!story || types?.includes(story.event) === false)
        throw new Refusal('missing', 'NOT_FOUND', 'there is no such delivery');
      return { data: storyView(story) };
    },
  });
}
