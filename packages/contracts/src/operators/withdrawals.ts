import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { count, id, nullableText, text, visibleText } from '../fields.ts';
import { withdrawal, withdrawalStatuses } from '../merchants/withdrawals.ts';
import { olderNameOf } from '../older-names.ts';
import { page } from '../paging.ts';
import { ofOwner, owner } from './owner.ts';
import { proposes } from './proposals.ts';

const reportedEnds = ['COMPLETED', 'FAILED', 'RETURNED'] as const;

const alarm = z
  .object({
    id,
    withdrawalId: id,
    ...owner,
    recorded: z.enum(['PROCESSING', 'COMPLETED', 'FAILED']),
    reported: z.enum(reportedEnds).meta({
      description:
        'Later reports of the provider. RETURNED: the payee’s bank has sent the money back. COMPLETED, on ' +
        'a COMPLETED or PROCESSING withdrawal: it was paid twice, or in another amount, as its `kind` in ' +
        '`GET /v1/admin/alarms` states. Nothing was changed. An operator must resolve it with the ' +
        'provider, and with the merchant by an adjustment.',
    }),
    told: olderNameOf('reported', z.enum(reportedEnds)),
    providerTxId: nullableText,
    raisedAt: timestamp,
  })
  .meta({ id: 'PayoutAlarm' });

export type PayoutAlarmView = z.infer<typeof alarm>;

const adminWithdrawal = withdrawal
  .extend({
    ...owner,
    approvalsNeeded: z.int().min(0).max(2).meta({
      description:
        'Number of required approvals. 0: automatic approval. 2: approval by two different operators.',
    }),
    approvedBy: z.array(id),
    payableFrom: timestamp
      .nullable()
      .meta({ description: 'Time before which a new destination is not paid.' }),
    startedAt: timestamp.nullable().meta({ description: 'Time since which the withdrawal is PROCESSING.' }),
    checks: count.meta({ description: 'Number of queries to the provider.' }),
    nextCheckAt: timestamp.nullable(),
  })
  .meta({ id: 'AdminWithdrawal' });

export type AdminWithdrawalView = z.infer<typeof adminWithdrawal>;

const adminQuery = z.strictObject({
  ...ofOwner,
  status: z.enum(withdrawalStatuses).optional(),
  method: z.enum(['PIX', 'TED']).optional(),
  stuck: z
    .enum(['true'])
    .optional()
    .meta({
      description:
        'Returns only withdrawals that have been PROCESSING for more than ten minutes, because the ' +
        'provider reports no outcome.',
    }),
  ...page,
});

export type AdminWithdrawalQuery = z.infer<typeof adminQuery>;

const alarmQuery = z.strictObject({ ...ofOwner, ...page });

export type PayoutAlarmQuery = z.infer<typeof alarmQuery>;

/** An endpoint with which an operator decides on a withdrawal. */
const decision = {
  access: finance,
  data: adminWithdrawal,
  errors: ['INVALID_STATE'],
} as const satisfies Partial<Definition>;

export const adminWithdrawals = endpointsOf('withdrawals', {
  listAllWithdrawals: {
    route: 'GET /v1/admin/withdrawals',
    access: everyRole,
    summary: 'List the withdrawals of all merchants, newest first',
    description:
      'Filters are combined. `status=PENDING` returns the withdrawals that wait for approval. ' +
      '`stuck=true` returns the withdrawals that their provider does not end.',
    query: adminQuery,
    data: adminWithdrawal,
    paged: true,
  },

  inspectWithdrawal: {
    route: 'GET /v1/admin/withdrawals/:id',
    access: everyRole,
    summary: 'Read a withdrawal with its alarms',
    description:
      'Returns the withdrawal with its approvers, the number of queries to its provider, and the reports ' +
      'that contradict its outcome.',
    data: adminWithdrawal.extend({ alarms: z.array(alarm) }).meta({ id: 'InspectedWithdrawal' }),
  },

  approveWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/approve',
    signedOrder: true,
    freshFactor: true,
    summary: 'Approve a pending withdrawal',
    description:
      'Above the platform’s threshold two different operators must approve. The threshold also limits two ' +
      'sums of a day: the amounts that one operator approves alone, and those approved alone for one ' +
      'merchant. An approval that would exceed a sum changes `approvalsNeeded` to 2. After the first ' +
      'approval of two the withdrawal is still PENDING. A second approval by the same operator is ' +
      'FORBIDDEN. An APPROVED withdrawal accepts another approval while its `waitingFor` names one, for ' +
      'example after the threshold was lowered.',
  },

  rejectWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/reject',
    summary: 'Reject a pending withdrawal',
    description: 'The merchant receives the money back and can read the reason.',
    body: z.object({ reason: visibleText(255) }),
    examples: [{ summary: 'Wrong payee', body: { reason: 'O favorecido não confere com o contrato.' } }],
  },

  completeWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/complete',
    freshFactor: true,
    otherStatus: proposes,
    summary: 'Record that a TED was paid',
    description:
      'Requires a TED that is APPROVED or PROCESSING. Only the provider decides how a Pix ends. Two ' +
      'operators must record it if the operator’s or the merchant’s sum of the day would exceed the ' +
      'platform’s threshold. In production two operators must also record the end of a TED that is ' +
      'APPROVED: the platform has not given it to operators yet, for example because of a stop.',
    body: z.object({
      providerTxId: text(64).meta({ description: 'Number of the transfer at your bank.' }),
    }),
    examples: [{ summary: 'The bank’s number', body: { providerTxId: 'TED-20261123-000123' } }],
  },

  failWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/fail',
    freshFactor: true,
    otherStatus: proposes,
    summary: 'Record that a TED was returned',
    description:
      'Requires a TED that is APPROVED or PROCESSING. The merchant receives the money back and sees ' +
      '`reason` as the `failureDetail`. The audit log keeps `bankReference`. Two operators must record it ' +
      'under the same conditions as the payment of a TED.',
    body: z.object({
      reason: visibleText(255),
      bankReference: text(64).meta({
        description:
          'Number of your bank’s document that shows that the money came back or was not sent: the return ' +
          'of the transfer, or the protocol of the request.',
      }),
    }),
    examples: [
      {
        summary: 'No such account',
        body: { reason: 'Conta inexistente no banco de destino.', bankReference: 'DEV-20261123-000045' },
      },
    ],
  },

  debitWithdrawalAnew: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/debit',
    signedOrder: true,
    freshFactor: true,
    summary: 'Retry the debit of a withdrawal',
    description:
      'Requires a withdrawal that is APPROVED and not debited by the ledger (`NO_DEBIT` in `GET ' +
      '/v1/admin/alarms`), as after a restore of the ledger; otherwise INVALID_STATE. The withdrawal is ' +
      'paid once, even if the provider had its order before. INSUFFICIENT_BALANCE: the merchant’s balance ' +
      'is too low, nothing was changed, and the withdrawal still waits. REQUEST_IN_PROGRESS: a comparison ' +
      'of its books is running.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'After a restore', body: { note: 'ledger restaurado para 22/11 00:49 UTC' } }],
    errors: ['INVALID_STATE', 'REQUEST_IN_PROGRESS', 'INSUFFICIENT_BALANCE'],
  },

  failUndebitedWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/fail-undebited',
    freshFactor: true,
    summary: 'End a withdrawal that was never debited',
    description:
      'Ends the withdrawal as FAILED, without a payout and without a credit. Requires a withdrawal that ' +
      'is APPROVED and whose money the ledger has not debited or has returned (`NO_DEBIT`). For a Pix, ' +
      'its provider must also have no order of it or report that it failed. Otherwise the response is ' +
      'INVALID_STATE. For a TED, operators must verify that it was not sent. REQUEST_IN_PROGRESS: a ' +
      'comparison of its books is running.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'Insufficient balance', body: { note: 'saldo já gasto; lojista avisado' } }],
    errors: ['INVALID_STATE', 'REQUEST_IN_PROGRESS', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },

  listPayoutAlarms: {
    route: 'GET /v1/admin/payout-alarms',
    access: everyRole,
    summary: 'List payout outcomes that contradict the record, newest first',
    description:
      'The list is normally empty. GET /v1/admin/alarms returns these alarms together with those of ' +
      'charges, and their resolutions.',
    query: alarmQuery,
    data: alarm,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
