import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { id, timestamp } from '../fields.ts';
import { chargeStatuses } from '../merchants/charge-view.ts';
import { withdrawalStatuses } from '../merchants/withdrawals.ts';

/** The services to ask; entries of one instant have this order, in which events travel. */
export const timelineServices = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;

export type TimelineService = (typeof timelineServices)[number];

const kinds = [
  'state',
  'provider',
  'payment',
  'refund',
  'dispute',
  'decision',
  'alarm',
  'announcement',
  'posting',
  'notification',
  'delivery',
  'attempt',
  'dead_letter',
] as const;

const facts = z.record(z.string(), z.unknown());

const entry = z
  .object({
    at: timestamp,
    service: z.enum(timelineServices),
    kind: z.enum(kinds).meta({
      description:
        'provider: what a payment provider was told or has said. decision: an operator’s, from the audit log. announcement: ' +
        'what the other services are told. posting: of the books. notification: an event that webhooks are to tell of. ' +
        'dead_letter: an event that a service could not apply.',
    }),
    what: z.string().meta({ example: 'the payment was recorded' }),
    detail: facts.meta({ description: 'More of it, by the sort of entry. Amounts are cents.' }),
    traceId: z.string().optional().meta({
      description: 'Of the request or the job that did it, for the logs; where it was kept.',
    }),
  })
  .meta({ id: 'TimelineEntry' });

const owner = { id, merchantId: id, environment: z.enum(environments) };

const subject = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('charge'), ...owner, status: z.enum([...chargeStatuses, 'DECLINED']) })
      .meta({ id: 'TimelineCharge' }),
    z
      .object({
        kind: z.literal('withdrawal'),
        ...owner,
        status: z.enum([...withdrawalStatuses, 'DEBITING', 'REFUSED', 'ABANDONED']),
      })
      .meta({ id: 'TimelineWithdrawal' }),
  ])
  .meta({ id: 'TimelineSubject' });

const now = facts.nullable().meta({
  description: 'How it is at this moment, where no time was kept of that; null: nothing of it is here.',
});

const source = z
  .object({
    service: z.enum(timelineServices),
    state: z.enum(['answered', 'unavailable']).meta({
      description: 'unavailable: it did not answer within two seconds. What it knows is missing here.',
    }),
    isCut: z.boolean().meta({ description: 'There was more: these are its newest 500 entries.' }),
    now,
  })
  .meta({ id: 'TimelineSource' });

/** One service's answer to the gateway. */
export const timelinePart = z.object({
  subject: subject.nullable(),
  /** Ids of what belongs to the subject, under which other services know of it. */
  related: z.array(id),
  /** The charge, the withdrawal or the dispute that the id asked for is a part of. */
  belongsTo: id.nullable(),
  isCut: z.boolean(),
  now,
  /** Oldest first. */
  entries: z.array(entry.omit({ service: true })),
});

type Part = z.infer<typeof timelinePart>;

/** A service's part before it is put in order; times are written as JSON writes them. */
export interface TimelineRecords extends Omit<Part, 'isCut' | 'entries'> {
  entries: (Omit<Part['entries'][number], 'at' | 'traceId'> & { at: Date; traceId?: string | undefined })[];
  /** There may be more than `entries`, though they are few. */
  isCut?: boolean;
}

export const timeline = endpointsOf('gateway', {
  readTimeline: {
    route: 'GET /v1/admin/timeline/:id',
    access: everyRole,
    summary: 'Read all that happened to one charge or withdrawal, in order',
    description:
      'The id of a charge or a withdrawal; or of a refund, a dispute, an unexpected payment of a charge, a transaction of a ' +
      'wallet, an event or a delivery, which all stand for the charge or withdrawal they belong to. The services are asked what ' +
      'they have on record: nothing is written down for this, so what was never kept (each look at the provider, when a charge ' +
      'was cancelled) is not here, and what is deleted after some time (announcements after 30 days, deliveries) is here until ' +
      'then. Attempts with cards that were declined, and withdrawals nobody got to see, are shown, too. The fields with names, ' +
      'documents and Pix keys are left out. In a reason, a description or a resolution documents, phones with an area code ' +
      'and e-mail addresses in their usual forms, and numbers of 10 to 19 digits, are masked; a name or a random Pix key in it is ' +
      'not known for one, and is as it was written, as in the other views of operators. Times are of each service’s own clock. Of the ' +
      'dead letters the newest 1000 of each service are looked through.\n\n' +
      'A service that does not answer hides none of the others: `sources` says which it was. NOT_FOUND: no service knows the id. ' +
      'SERVICE_UNAVAILABLE: none that answered knows it, and not all did.',
    data: z
      .object({
        subject: subject.nullable().meta({
          description: 'Null: the service it belongs to did not answer, the others know of it.',
        }),
        sources: z.array(source),
        entries: z.array(entry).meta({ description: 'Oldest first.' }),
      })
      .meta({ id: 'Timeline' }),
  },
} as const satisfies Record<string, Definition>);

export type TimelineView = z.infer<typeof timeline.readTimeline.data>;
