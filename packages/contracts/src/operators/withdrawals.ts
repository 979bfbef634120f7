import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { count, id, nullableText, page, text, timestamp, visibleText } from '../fields.ts';
import { withdrawal, withdrawalStatuses } from '../merchants/withdrawals.ts';
import { ofOwner, owner } from './owner.ts';

const alarm = z
  .object({
    id,
    withdrawalId: id,
    ...owner,
    recorded: z.enum(['PROCESSING', 'COMPLETED', 'FAILED']),
    told: z.enum(['COMPLETED', 'FAILED', 'RETURNED']).meta({
      description:
        'What the provider said afterwards; RETURNED: the payee’s bank has sent it back. COMPLETED of what is COMPLETED or ' +
        'PROCESSING: it was paid twice, or in another amount, as its `kind` in `GET /v1/admin/alarms` says. Nothing was ' +
        'changed: an operator must settle it with the provider, and with the merchant by an adjustment.',
    }),
    providerTxId: nullableText,
    raisedAt: timestamp,
  })
  .meta({ id: 'PayoutAlarm' });

export type PayoutAlarmView = z.infer<typeof alarm>;

const adminWithdrawal = withdrawal
  .extend({
    ...owner,
    approvalsNeeded: z
      .int()
      .min(0)
      .max(2)
      .meta({ description: '0: by itself. 2: by two different operators.' }),
    approvedBy: z.array(id),
    payableFrom: timestamp.nullable().meta({ description: 'A new destination is not paid before.' }),
    startedAt: timestamp.nullable().meta({ description: 'Since when it is PROCESSING.' }),
    checks: count.meta({ description: 'How often the provider was asked.' }),
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
    .meta({ description: 'Only those PROCESSING for more than ten minutes: the provider gives no end.' }),
  ...page,
});

export type AdminWithdrawalQuery = z.infer<typeof adminQuery>;

const alarmQuery = z.strictObject({ ...ofOwner, ...page });

export type PayoutAlarmQuery = z.infer<typeof alarmQuery>;

/** How an operator decides on a withdrawal. */
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
      'Filters narrow each other. `status=PENDING` is what waits for approval, `stuck=true` what its provider does not end.',
    query: adminQuery,
    data: adminWithdrawal,
    paged: true,
  },

  inspectWithdrawal: {
    route: 'GET /v1/admin/withdrawals/:id',
    access: everyRole,
    summary: 'Read a withdrawal with its alarms',
    description: 'With who approved it, how often its provider was asked, and what contradicts its end.',
    data: adminWithdrawal.extend({ alarms: z.array(alarm) }).meta({ id: 'InspectedWithdrawal' }),
  },

  approveWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/approve',
    summary: 'Approve a pending withdrawal',
    description:
      'Above the platform’s threshold two different operators must: after the first it is still PENDING. One operator’s ' +
      'second approval is FORBIDDEN.',
  },

  rejectWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/reject',
    summary: 'Reject a pending withdrawal',
    description: 'The merchant gets the money back, and reads the reason.',
    body: z.object({ reason: visibleText(255) }),
    examples: [{ summary: 'Wrong payee', body: { reason: 'O favorecido não confere com o contrato.' } }],
  },

  completeWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/complete',
    summary: 'Record that a TED was paid',
    description: 'Only of a TED that is PROCESSING: how a Pix ends is its provider’s to say.',
    body: z.object({ providerTxId: text(64) }),
    examples: [{ summary: 'The bank’s number', body: { providerTxId: 'TED-20261123-000123' } }],
  },

  failWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/fail',
    summary: 'Record that a TED came back',
    description:
      'Only of a TED that is PROCESSING. The merchant gets the money back, and sees `reason` as the `failureDetail`.',
    body: z.object({ reason: visibleText(255) }),
    examples: [{ summary: 'No such account', body: { reason: 'Conta inexistente no banco de destino.' } }],
  },

  debitWithdrawalAnew: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/debit',
    summary: 'Have the ledger take the money of a held withdrawal once more',
    description:
      'Only of one that is APPROVED, whose money the ledger has not taken (`NO_DEBIT` in `GET /v1/admin/alarms`), as after ' +
      'the ledger was restored; else INVALID_STATE. It is paid once, also when the provider had its order before. ' +
      'INSUFFICIENT_BALANCE: the merchant has too little; nothing was changed, and it waits on. REQUEST_IN_PROGRESS: its ' +
      'books are being compared at this moment.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'Restored', body: { note: 'ledger restaurado para 22/11 00:49 UTC' } }],
    errors: ['INVALID_STATE', 'REQUEST_IN_PROGRESS', 'INSUFFICIENT_BALANCE'],
  },

  failUndebitedWithdrawal: {
    ...decision,
    route: 'POST /v1/admin/withdrawals/:id/fail-undebited',
    summary: 'End a held withdrawal whose money was never taken',
    description:
      'As FAILED, without a payout; nothing is given back. Only of one that is APPROVED, whose money the ledger has not ' +
      'taken or has given back (`NO_DEBIT`), and of a Pix only when its provider knows no order of it, or says that it ' +
      'failed; else INVALID_STATE. That a TED was not sent is for people to know. REQUEST_IN_PROGRESS: its books are being compared at this moment.',
    body: z.object({ note: visibleText(500) }),
    examples: [{ summary: 'Not covered any more', body: { note: 'saldo já gasto; lojista avisado' } }],
    errors: ['INVALID_STATE', 'REQUEST_IN_PROGRESS', 'PROVIDER_ERROR', 'PROVIDER_UNAVAILABLE'],
  },

  listPayoutAlarms: {
    route: 'GET /v1/admin/payout-alarms',
    access: everyRole,
    summary: 'List ends of payouts that contradict the recorded ones, newest first',
    description:
      'There should be none. GET /v1/admin/alarms shows them along with those of charges, and how each was settled.',
    query: alarmQuery,
    data: alarm,
    paged: true,
  },
} as const satisfies Record<string, Definition>);
