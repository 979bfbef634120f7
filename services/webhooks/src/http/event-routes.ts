import { api, type EventView } from '@plataforma/contracts';
import { pageOf, type Router, serve, whenClosed } from '@plataforma/http';
import { daysBefore, Refusal } from '@plataforma/kernel';
import type { WebhooksDependencies } from '../dependencies.ts';
import { readFeed } from '../store/event-feed.ts';
import { findEvent, type ListedEvent, listEvents } from '../store/event-lists.ts';
import { readableTypes } from './readable-types.ts';

export function eventRoutes(router: Router, dependencies: WebhooksDependencies): void {
  const { verifier, database, reads, clock, retention, waitingReaders } = dependencies;
  const since = () => daysBefore(clock(), retention.eventRetentionDays);

  serve(router, api.listEvents, {
    verifier,
    answer: async ({ query: { order, wait, ...query } }, merchant, res) => {
      const types = readableTypes(merchant.scopes);
      const list = order === 'asc' ? readFeed : listEvents;
      const read = () => list(reads, merchant, { ...query, since: since(), types });
      if (wait === 0) return pageOf(await read(), query, eventView);
      if (order === 'desc') throw new Refusal('invalid', 'VALIDATION_ERROR', 'wait: needs order=asc');
      const whenGone = (listener: () => void) => whenClosed(res, listener);
      const reader = { tenant: merchant, waitMs: wait * 1_000, whenGone };
      return pageOf(await waitingReaders.wait(reader, read), query, eventView);
    },
  });
  serve(router, api.getEvent, {
    verifier,
    answer: async ({ params }, merchant) => {
      const event = await findEvent(database, merchant, {
        ...{ id: params.id, since: since(), types: readableTypes(merchant.scopes) },
      });
      if (!event) throw new Refusal('missing', 'NOT_FOUND', 'there is no such event');
      return { data: eventView(event) };
    },
  });
}

const { payload } = api.getWebhookDelivery.data.shape;

function eventView({ id, type, resourceId, sequence, body }: ListedEvent): EventView {
  const { data, timestamp } = payload.parse(JSON.parse(body));
  return { id, event: type, resourceId, sequence, data, createdAt: timestamp };
}
