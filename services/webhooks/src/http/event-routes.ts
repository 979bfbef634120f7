import { api, type Endpoint, type EventView, type Scope, webhookEventTypes } from '@plataforma/contracts';
import type { Database, Queryable } from '@plataforma/data';
import { pageOf, type Router, serve, type Verifier, whenClosed } from '@plataforma/http';
import { type Clock, daysBefore, Refusal } from '@plataforma/kernel';
import type { WaitingReaders } from '../feed/waiting-readers.ts';
import { readFeed } from '../store/event-feed.ts';
import { findEvent, listEvents, type SeenEvent } from '../store/event-lists.ts';

interface EventRoutes {
  verifier: Verifier;
  database: Database;
  reads: Queryable;
  clock: Clock;
  eventRetentionDays: number;
  waitingReaders: WaitingReaders;
}

export function eventRoutes(router: Router, parts: EventRoutes): void {
  const { verifier, database, reads, clock, eventRetentionDays, waitingReaders } = parts;
  const since = () => daysBefore(clock(), eventRetentionDays);

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

/** Endpoints whose scopes read an event in the feed, by the noun of its name. Events of API keys need `events:read`. */
const readAs: Record<string, Endpoint> = {
  charge: api.getCharge,
  checkout: api.getPaymentLink,
  dispute: api.getDispute,
  payment: api.listUnexpectedPayments,
  refund: api.getRefund,
  receivable: api.listReceivables,
  webhook: api.listWebhookConfigurations,
  withdrawal: api.getWithdrawal,
};

/** Returns the event types that these scopes may read; null: all. */
function readableTypes(scopes: readonly Scope[]): (typeof webhookEventTypes)[number][] | null {
  if (scopes.includes('events:read')) return null;
  const readable = webhookEventTypes.filter((type) => {
    const { access } = readAs[type.split('.')[0] ?? ''] ?? {};
    return access?.kind === 'merchant' && access.anyOf.some((scope) => scopes.includes(scope));
  });
  return readable.length === webhookEventTypes.length ? null : readable;
}

const { payload } = api.getWebhookDelivery.data.shape;

function eventView({ id, type, resourceId, sequence, body }: SeenEvent): EventView {
  const { data, timestamp } = payload.parse(JSON.parse(body));
  return { id, event: type, resourceId, sequence, data, createdAt: timestamp };
}
