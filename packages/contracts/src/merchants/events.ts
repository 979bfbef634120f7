import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, id } from '../fields.ts';
import { webhookEventTypes } from '../forms/webhook-configuration.ts';
import { integerOr, page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';

const event = z
  .object({
    id: id.meta({ description: 'Id of the event, which is the `X-Webhook-Event-Id` of its deliveries.' }),
    event: z.enum(webhookEventTypes),
    resourceId: id.meta({
      description: 'Id of the event’s object, such as a charge, a withdrawal or a webhook.',
    }),
    sequence: count.nullable().meta({
      description: 'Same value as `X-Webhook-Sequence`. Null for an event from before sequences existed.',
    }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'The `data` that webhooks carry.' }),
    createdAt: timestamp.meta({ description: 'Time of the event, the `timestamp` of its webhooks.' }),
  })
  .meta({ id: 'Event' });

export type EventView = z.infer<typeof event>;

const eventQuery = z
  .strictObject({
    event: z.enum(webhookEventTypes).optional(),
    resourceId: z.uuid().optional(),
    ...period,
    order: z
      .enum(['desc', 'asc'])
      .default('desc')
      .meta({
        description:
          'desc: newest first, by the time of the event. asc: oldest first, in the order in which events ' +
          'became visible here.',
      }),
    wait: integerOr(0, 0, 20).meta({
      description:
        'Seconds to wait for an event, with `order=asc` only. While no event follows `after`, the ' +
        'response waits at most this time; without an event it is an empty page. Four requests of an ' +
        'account may wait at the same time; a further request is a 503 at once.',
    }),
    ...page,
    after: page.after.meta({
      description:
        'With `order=asc`, the `id` of the last event that you read. The response has all events that ' +
        'became visible after it, including events stored late. Otherwise, the `meta.next` of the ' +
        'previous page.',
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
      'Returns all events of this environment in the last 30 days (unless configured otherwise), even ' +
      'without a configured webhook. After an outage of your system, read the missed events from ' +
      '`startDate` on. Test deliveries are not included. An event may appear some seconds after its ' +
      '`createdAt`, so start a little before your last position and skip duplicate ids. New events come ' +
      'first and move older events to later pages. To read each event once, continue with `meta.next`, or ' +
      'set `endDate`. With `order=asc` neither is necessary: continue from the last id that you read, ' +
      'without time limit. A key reads the events that its scopes may read. Charges, disputes and ' +
      'unexpected payments need `charges:read` or `charges:write`, and withdrawals need ' +
      '`withdrawals:write` or `wallet:read`. For disputes `disputes:write` is enough, and `events:read` ' +
      'reads all events.',
    query: eventQuery,
    data: event,
    paged: true,
    waits: true,
  },

  getEvent: {
    route: 'GET /v1/events/:id',
    access: reads(),
    summary: 'Read an event',
    description:
      'Events are available for 30 days unless configured otherwise. A key can read the events that its ' +
      'scopes may read.',
    data: event,
  },
} as const satisfies Record<string, Definition>);
