import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { cents, id, nullableText, page, timestamp, visibleText } from '../fields.ts';
import { ofOwner } from './owner.ts';

export const alarmServices = ['charges', 'withdrawals'] as const;

export type AlarmService = (typeof alarmServices)[number];

const alarm = z
  .object({
    id,
    service: z.enum(alarmServices).meta({ description: 'Whose it is, and where it is settled.' }),
    subject: z.enum(['payout', 'refund', 'return', 'card', 'payment']),
    subjectId: id.meta({
      description:
        'Of the withdrawal, the refund, the unexpected payment or the charge; of a payment that only its provider knows, an id ' +
        'made from its reference.',
    }),
    chargeId: id.nullable(),
    merchantId: id.nullable(),
    environment: z.enum(environments),
    kind: z
      .enum([
        ...['DONE_AFTER_FAILED', 'FAILED_AFTER_DONE', 'DONE_TWICE', 'ANOTHER_AMOUNT', 'RETURNED'],
        ...['UNBACKED', 'UNRECORDED', 'AMOUNTS_DIFFER'],
        ...['UNPROVEN_CREDIT', 'WALLET_CHANGED', 'CHAIN_REWRITTEN', 'BOOKS_BEHIND', 'NO_DEBIT'],
      ] as const)
      .meta({
        description:
          'What the provider says: that it has moved money after the end that is recorded, that it has not after all, that ' +
          'it has twice or in another amount, or that the payee’s bank has sent it back. Of a payment, as the daily ' +
          'reconciliation found twice. UNBACKED: it is on record or in the books, and its provider knows of none. ' +
          'UNRECORDED: its provider has received what is in no record or not in the books. AMOUNTS_DIFFER: all three know it. ' +
          'The others are of a payout that is held, since the books do not account for its money. UNPROVEN_CREDIT: a credit is in no record of the service it ' +
          'comes from. WALLET_CHANGED: the wallet is not the sum of its entries. CHAIN_REWRITTEN: entries are not those ' +
          'that were compared before; BOOKS_BEHIND: the newest of these are gone. Settling one of these four accepts the ' +
          'books as they were then, and takes two operators. NO_DEBIT: the withdrawal’s money was not taken; it waits until an ' +
          'operator has it taken, or ends it.',
      }),
    amount: cents.nullable(),
    providerReference: nullableText,
    raisedAt: timestamp,
    settledAt: timestamp.nullable(),
    settledBy: id.nullable().meta({
      description:
        'The operator; null as well where a comparison of the books has found the debit that was missing.',
    }),
    note: nullableText,
    settlingProposedBy: id.nullable().meta({
      description: 'The operator who has asked first to settle what takes two.',
    }),
  })
  .meta({ id: 'Alarm' });

export type AlarmView = z.infer<typeof alarm>;

const filters = {
  settled: z.enum(['true', 'false']).optional().meta({ description: 'All of them when left out.' }),
  ...ofOwner,
};

const alarmQuery = z.strictObject({ ...filters, ...page });

/** The gateway's query to a service: its newest behind the cursor, at most a page. */
export const alarmPartQuery = z.strictObject({
  ...filters,
  newest: z.coerce.number().int().min(1).max(10_000),
  after: page.after,
});

export type AlarmPartQuery = z.infer<typeof alarmPartQuery>;

/** A service's answer, newest first. */
export const alarmPart = z.object({ total: z.int(), alarms: z.array(alarm) });

function closeEndpoint<const S extends AlarmService>(service: S) {
  return {
    route: `POST /v1/admin/${service}/alarms/:id/settle`,
    service,
    access: finance,
    summary: 'Note that an alarm is settled, and how',
    description: 'Once: after that it is INVALID_STATE.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'Settled with the provider', body: { note: 'devolvido pelo provedor em 22/11' } }],
    data: alarm,
    errors: ['INVALID_STATE'],
  } as const satisfies Definition;
}

export const alarms = endpointsOf('gateway', {
  listAlarms: {
    route: 'GET /v1/admin/alarms',
    access: everyRole,
    summary: 'List what providers have said that contradicts the record, newest first',
    description:
      'Nothing is changed by what a provider says after the end of a payout, a refund, a card payment or a return of ' +
      'unexpected money is recorded, nor by what the daily reconciliation finds: an operator settles it with the provider, and with the merchant by an adjustment. ' +
      'By number the newest 10,000 can be read, by `after` all. SERVICE_UNAVAILABLE: a service did not answer, and the list would lack its alarms.',
    query: alarmQuery,
    data: alarm,
    paged: true,
  },

  settleAlarmOfCharges: closeEndpoint('charges'),
  settleAlarmOfWithdrawals: {
    ...closeEndpoint('withdrawals'),
    description:
      'Once: after that it is INVALID_STATE. One that accepts the books (UNPROVEN_CREDIT, WALLET_CHANGED, CHAIN_REWRITTEN, ' +
      'BOOKS_BEHIND) takes two operators whose role allows it, the second within a day of the first; the only active one ' +
      'settles it alone, which is an alert.',
    otherStatus: {
      status: 202,
      when: 'It is open still: another operator must settle it, too, within a day.',
    },
  },
} as const satisfies Record<string, Definition>);
