import { z } from 'zod';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, id, integerOr, page, timestamp } from '../fields.ts';
import { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { daysInZone, period } from '../period.ts';

const event = z
  .object({
    id: id.meta({ description: 'The `X-Webhook-Event-Id` of its deliveries.' }),
    event: z.enum(webhookEventTypes),
    resourceId: id.meta({
      description: 'The object it is about, such as a charge, a withdrawal or a webhook.',
    }),
    sequence: count.nullable().meta({
      description: 'As `X-Webhook-Sequence`. Null: it happened before sequences were kept.',
    }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The `data` that webhooks carry.' }),
    createdAt: timestamp.meta({ description: 'When it happened: the `timestamp` that webhooks carry.' }),
  })
  .meta({ id: 'Event' });

export type EventView = z.infer<typeof event>;

const eventQuery = z
  .strictObject({
    event: z.enum(webhookEventTypes).optional(),
    resourceId: z.uuid().optional(),
    ...period,
    order: z.enum(['desc', 'asc']).default('desc').meta({
      description:
        'desc: newest first, by when it happened. asc: oldest first, in the order in which events became visible here.',
    }),
    wait: integerOr(0, 0, 20).meta({
      description:
        'Seconds, with `order=asc` only: while there is nothing after `after`, the answer waits for so long, and comes as soon as ' +
        'there is something; else it is an empty page. Four requests of an account may wait at a time; another is a 503 at once.',
    }),
    ...page,
    after: page.after.meta({
      description:
        'With `order=asc` the `id` of the last event you have read: all that became visible after it follow, and none is missed, ' +
        'however late it was stored. Else the `meta.next` of the page before.',
    }),
  })
  .check(daysInZone);

export type EventQuery = z.infer<typeof eventQuery>;

export const events = endpointsOf('webhooks', {
  listEvents: {
    route: 'GET /v1/events',
    access: reads(),
    summary: 'List events, newest first',
    description:
      'All that happened in this environment in the last 30 days (unless configured otherwise), whether or not a webhook was configured for it: ' +
      'after an outage of yours, read what came meanwhile, from `startDate` on. What webhooks deliver as a test is ' +
      'not among it. An event may appear some seconds after its `createdAt`, so begin a little before where you ended, and ' +
      'skip the ids you know. What is new comes first and moves the rest to later pages: to see each once, read on ' +
      'by `meta.next`, or set `endDate`. `order=asc` has none of that: go on from the last id you know, for ever. A key reads of what its scopes may read: charges, disputes and unexpected payments with `charges:read` or ' +
      '`charges:write`, withdrawals with `withdrawals:write` or `wallet:read`, disputes with `disputes:write`, too, and all with `events:read`.',
    query: eventQuery,
    data: event,
    paged: true,
    waits: true,
  },

  getEvent: {
    route: 'GET /v1/events/:id',
    access: reads(),
    summary: 'Read an event',
    description: 'For 30 days unless configured otherwise. Of what the key’s scopes may read.',
    data: event,
  },
} as const satisfies Record<string, Definition>);
