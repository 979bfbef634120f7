import { api } from '@plataforma/contracts';
import type { Database } from '@plataforma/data';
import { pageMeta, type Router, serve, type Verifier } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { findDelivery, listDeliveries } from '../store/delivery-lists.ts';
import { deliveryView, storyView } from './delivery-view.ts';

interface DeliveryRoutes {
  verifier: Verifier;
  database: Database;
}

export function deliveryRoutes(router: Router, { verifier, database }: DeliveryRoutes): void {
  serve(router, api.listWebhookDeliveries, {
    verifier,
    answer: async ({ query }, merchant) => {
      const { items, total } = await listDeliveries(database, merchant, query);
      return { data: items.map(deliveryView), meta: pageMeta(total, query) };
    },
  });
  serve(router, api.getWebhookDelivery, {
    verifier,
    answer: async ({ params }, merchant) => {
      const story = await findDelivery(database, merchant, params.id);
      if (!story) throw new Refusal('missing', 'NOT_FOUND', 'there is no such delivery');
      return { data: storyView(story) };
    },
  });
}
