import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole } from '../endpoint.ts';
import { id } from '../fields.ts';
import { merchantStatuses } from '../merchants/account.ts';
import { chargeStatuses } from '../merchants/charge-view.ts';
import { withdrawalStatuses } from '../merchants/withdrawals.ts';

/**
 * The services whose entries a timeline shows. Entries of the same instant are sorted in this order, in which
 * events pass from service to service.
 */
export const timelineServices = ['charges', 'withdrawals', 'ledger', 'webhooks'] as const;

export type TimelineService = (typeof timelineServices)[number];

const kinds = [
  'state',
  'provider',
  'payment',
  'refund',
  'dispute',
  'decision',
  'proposal',
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
    service: z.enum(['gateway', ...timelineServices]),
    kind: z.enum(kinds).meta({
      description:
        'provider: an order to a payment provider, or its answer. decision: an operator’s decision, from ' +
        'the audit log. proposal: a change that two operators make, its approval with the execution, its ' +
        'refusal or its expiry. announcement: a message to the other services. posting: an entry in the ' +
        'books. ' +
        'notification: an event for webhooks. dead_letter: an event that a service could not apply.',
    }),
    what: z.string().meta({ example: 'the payment was recorded' }),
    detail: facts.meta({ description: 'Additional values, by type of entry. Amounts are in cents.' }),
    traceId: z.string().optional().meta({
      description: 'Id of the request or job that caused the entry, for the logs. Present if it was stored.',
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
    z
      .object({ kind: z.literal('merchant'), id, merchantId: id, status: z.enum(merchantStatuses) })
      .meta({ id: 'TimelineMerchant' }),
  ])
  .meta({ id: 'TimelineSubject' });

const now = facts.nullable().meta({
  description:
    'Current state of the records that have no time. Null means that the service has no such record.',
});

const source = z
  .object({
    service: z.enum(timelineServices),
    state: z.enum(['answered', 'unavailable']).meta({
      description: 'unavailable: the service did not answer within two seconds, and its entries are missing.',
    }),
    isCut: z
      .boolean()
      .meta({ description: 'The service has more entries. The timeline shows its newest 500.' }),
    now,
  })
  .meta({ id: 'TimelineSource' });

export const timelinePart = z.object({
  subject: subject.nullable(),
  /**
   * The ids of objects that belong to the subject, such as the refunds of a charge. The gateway also asks the
   * ledger and webhooks for entries under these ids.
   */
  related: z.array(id),
  /** The charge, withdrawal or dispute to which the object with the requested id belongs. */
  belongsTo: id.nullable(),
  isCut: z.boolean(),
  now,
  /** The entries, oldest first. */
  entries: z.array(entry.omit({ service: true })),
});

type Part = z.infer<typeof timelinePart>;

/** The response of one service, before its entries are sorted and their times are converted to texts. */
export interface TimelineRecords extends Omit<Part, 'isCut' | 'entries'> {
  entries: (Omit<Part['entries'][number], 'at' | 'traceId'> & { at: Date; traceId?: string | undefined })[];
  /** True if the service did not read all entries. `entries` may then have fewer than the limit. */
  isCut?: boolean;
}

export const timeline = endpointsOf('gateway', {
  readTimeline: {
    route: 'GET /v1/admin/timeline/:id',
    access: everyRole,
    summary: 'Read the timeline of a charge, a withdrawal or a merchant',
    description:
      'Takes the id of a charge, a withdrawal or a merchant. A merchant’s timeline has the decisions of ' +
      'operators about the account, and all proposals about the merchant. It also accepts the id of a ' +
      'refund, dispute, unexpected payment of a charge, wallet transaction, event or delivery. Such an id ' +
      'stands for its charge or ' +
      'withdrawal. The call reads the records of the services. Facts without a record (each query to the ' +
      'provider, the time of a cancelled charge) are absent. Deleted records (announcements after 30 ' +
      'days, deliveries) appear until their deletion. The timeline includes declined card attempts and ' +
      'withdrawals that no caller has seen. It omits the fields with names, documents and Pix keys. ' +
      'Reasons, descriptions and resolutions mask documents, phones with an area code and e-mail ' +
      'addresses in their usual forms, and numbers of 10 to 19 digits. A name or a random Pix key in such ' +
      'a text is not detected and appears as written, as in other views of operators. Each service uses ' +
      'its own clock for times. The search covers the newest 1000 dead letters of each service.\n\nA ' +
      'service that does not answer does not hide the others; `sources` names it. NOT_FOUND means that no ' +
      'service has the id. SERVICE_UNAVAILABLE means that no answering service has the id and that a ' +
      'service did not answer.',
    data: z
      .object({
        subject: subject.nullable().meta({
          description:
            'Null means that its own service did not answer, while other services have a record of it.',
        }),
        sources: z.array(source),
        entries: z.array(entry).meta({ description: 'Entries, oldest first.' }),
      })
      .meta({ id: 'Timeline' }),
  },
} as const satisfies Record<string, Definition>);

export type TimelineView = z.infer<typeof timeline.readTimeline.data>;
