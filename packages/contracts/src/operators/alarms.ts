import { environments } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { cents, id, nullableText, visibleText } from '../fields.ts';
import { page } from '../paging.ts';
import { ofOwner } from './owner.ts';

export const alarmServices = ['charges', 'withdrawals'] as const;

export type AlarmService = (typeof alarmServices)[number];

const alarm = z
  .object({
    id,
    service: z.enum(alarmServices).meta({ description: 'Service that raised the alarm and resolves it.' }),
    subject: z.enum(['payout', 'refund', 'return', 'card', 'payment']),
    subjectId: id.meta({
      description:
        'Id of the withdrawal, the refund, the unexpected payment or the charge. For a payment that only ' +
        'its provider has, this id is derived from its reference.',
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
          'Contradiction that raised the alarm. A provider may report a payment after the recorded end, ' +
          'the opposite of an earlier report, a second payment, or another amount. It may also report ' +
          'that the payee’s bank has sent the money back. For a payment, the daily reconciliation found ' +
          'the difference twice. UNBACKED: the payment is on record or in the books, but its provider has ' +
          'no such payment. UNRECORDED: its provider has received a payment that is missing from the ' +
          'records or from the books. AMOUNTS_DIFFER: all three have the payment, with different amounts. ' +
          'The other kinds concern a payout that is paused because the books do not account for its ' +
          'money. UNPROVEN_CREDIT: a credit is in no record of its source service. WALLET_CHANGED: the ' +
          'wallet is not the sum of its entries. CHAIN_REWRITTEN: the entries differ from those compared ' +
          'before. BOOKS_BEHIND: the newest of these entries are missing. To resolve one of these four ' +
          'accepts the books as they were then and takes two operators. NO_DEBIT: the withdrawal’s money ' +
          'was not debited; the withdrawal waits until an operator retries the debit or ends the ' +
          'withdrawal.',
      }),
    amount: cents.nullable(),
    providerReference: nullableText,
    raisedAt: timestamp,
    settledAt: timestamp.nullable(),
    settledBy: id.nullable().meta({
      description:
        'Operator who resolved the alarm. Null also if a comparison of the books found the missing debit.',
    }),
    note: nullableText,
    settlingProposedBy: id.nullable().meta({
      description: 'Operator who made the first of two required requests to resolve the alarm.',
    }),
  })
  .meta({ id: 'Alarm' });

export type AlarmView = z.infer<typeof alarm>;

const filters = {
  settled: z.enum(['true', 'false']).optional().meta({ description: 'Defaults to all of them.' }),
  ...ofOwner,
};

const alarmQuery = z.strictObject({ ...filters, ...page });

/** The query with which the gateway requests a service's newest alarms, or those after the cursor. */
export const alarmPartQuery = z.strictObject({
  ...filters,
  newest: z.coerce.number().int().min(1).max(10_000),
  after: page.after,
});

export type AlarmPartQuery = z.infer<typeof alarmPartQuery>;

/** The response of one service to `alarmPartQuery`, newest alarm first. */
export const alarmPart = z.object({ total: z.int(), alarms: z.array(alarm) });

function closeEndpoint<const S extends AlarmService>(service: S) {
  return {
    route: `POST /v1/admin/${service}/alarms/:id/settle`,
    service,
    access: finance,
    summary: 'Resolve an alarm',
    description:
      'Records that the alarm is resolved, and how. An alarm can be resolved once; after that the ' +
      'response is INVALID_STATE.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'Resolved with the provider', body: { note: 'devolvido pelo provedor em 22/11' } }],
    data: alarm,
    errors: ['INVALID_STATE'],
  } as const satisfies Definition;
}

export const alarms = endpointsOf('gateway', {
  listAlarms: {
    route: 'GET /v1/admin/alarms',
    access: everyRole,
    summary: 'List alarms about providers and books, newest first',
    description:
      'An alarm changes nothing. It may come from a provider message after the recorded end of a payout, ' +
      'refund, card payment or return of unexpected money. It may also come from the daily ' +
      'reconciliation. An operator resolves it with the provider, and with the merchant by an adjustment. ' +
      'Page numbers reach the newest 10,000 alarms; `after` reaches all of them. SERVICE_UNAVAILABLE ' +
      'means that a service did not answer and that the list would lack its alarms.',
    query: alarmQuery,
    data: alarm,
    paged: true,
  },

  settleAlarmOfCharges: closeEndpoint('charges'),
  settleAlarmOfWithdrawals: {
    ...closeEndpoint('withdrawals'),
    freshFactor: true,
    description:
      'An alarm can be resolved once; after that the response is INVALID_STATE. Some alarms accept the ' +
      'books (UNPROVEN_CREDIT, WALLET_CHANGED, CHAIN_REWRITTEN, BOOKS_BEHIND). They need two operators ' +
      'with a role that allows it, the second within a day of the first. A single operator ' +
      'resolves them alone, which triggers an alert.',
    otherStatus: {
      status: 202,
      when: 'The alarm is still open. Another operator must also resolve it within a day.',
    },
  },
} as const satisfies Record<string, Definition>);
