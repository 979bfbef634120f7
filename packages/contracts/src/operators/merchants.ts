import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, operators } from '../endpoint.ts';
import { id, optionalText, text, visibleText } from '../fields.ts';
import { merchantStatuses } from '../merchants/account.ts';
import { page } from '../paging.ts';
import { proposes } from './proposals.ts';

const bps = z
  .int()
  .min(0)
  .max(10_000)
  .meta({ description: 'Percentage fee in basis points; 100 basis points are one per cent.' });
const fixedFee = z.int().min(0).max(1_000_000).meta({ description: 'Amount in cents.' });

const limit = z.int().min(0).max(MAX_AMOUNT);

const settings = z
  .object({
    pixFeeBps: bps,
    pixFeeFixed: fixedFee,
    cardFeeBps: bps,
    cardFeeFixed: fixedFee,
    cardEnabled: z.boolean(),
    maxInstallments: z.int().min(1).max(18),
    settlementDays: z
      .int()
      .min(0)
      .max(365)
      .meta({
        description:
          'Days from a card payment until its money is available. 0 means at once. Otherwise the money ' +
          'becomes available when that day begins in São Paulo.',
      }),
    settlementCalendar: z.enum(['calendar', 'banking']).meta({
      description:
        'Days that settlement counts. calendar: every day. banking: only days on which Brazil’s banks ' +
        'settle.',
    }),
    withdrawalFee: z.int().min(0).max(1_000_000).meta({ description: 'Fee of each withdrawal, in cents.' }),
    withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).meta({
      description:
        'Source of the withdrawal fee. AMOUNT: the fee is part of the requested amount, and the payee ' +
        'receives less. BALANCE: the fee is charged to the balance in addition to the amount.',
    }),
    autoApproveLimit: limit.meta({
      description:
        'Limit, in cents, for the Pix withdrawals of a day in São Paulo that leave production without an ' +
        'approval, together. With 0 every withdrawal needs approval. A lowered limit also applies to ' +
        'withdrawals without an approval that still wait for a cool-down.',
    }),
    newPayeesPerDay: z
      .int()
      .min(0)
      .max(1000)
      .nullable()
      .meta({
        description:
          'Number of payees that the withdrawals of a day in São Paulo may pay for the first time without ' +
          'an approval, in production. A withdrawal to the next new payee needs one approval. Null means ' +
          'no limit. New accounts have 10.',
      }),
    dailyWithdrawalLimit: limit.nullable().meta({
      description:
        'Limit, in cents, for all withdrawals of a day in São Paulo together. Null means no limit. New ' +
        'accounts have R$ 50,000.00 in production. Their sandbox has no limit until you set one here.',
    }),
    destinationCooldownHours: z
      .int()
      .min(0)
      .max(720)
      .meta({
        description:
          'Hours for which a destination is new. Production pays nothing to a new destination. 0 means ' +
          'that no destination is ever new. New accounts have 24 in production. Their sandbox has no ' +
          'cool-down until you set one here.',
      }),
  })
  .meta({ id: 'MerchantSettings' });

const merchant = z
  .object({
    id,
    email: z.string(),
    companyName: z.string(),
    cnpj: z.string(),
    hasValidCnpj: z
      .boolean()
      .meta({ description: 'False means that the check digits are wrong. Check this before the approval.' }),
    phone: z.string(),
    status: z.enum(merchantStatuses),
    acceptedTerms: z
      .object({ url: z.string(), acceptedAt: timestamp })
      .nullable()
      .meta({
        description: 'Terms that the person accepted at the registration. Null if the request named none.',
        example: { url: 'https://pagamentos.example/termos', acceptedAt: '2026-11-21T12:00:00.000Z' },
      }),
    settings,
    createdAt: timestamp,
  })
  .meta({ id: 'Merchant' });

export type MerchantView = z.infer<typeof merchant>;

const merchantQuery = z.strictObject({
  status: z.enum(merchantStatuses).optional(),
  search: text(120).optional().meta({
    description: 'Part of the name or e-mail address, or the complete CNPJ, with or without punctuation.',
  }),
  ...page,
});

export type MerchantQuery = z.infer<typeof merchantQuery>;

const reason = visibleText(255).meta({
  description: 'Text for the audit log. The merchant does not see it.',
});

/** An endpoint with which an administrator changes the status of a merchant. */
const step = {
  access: operators('ADMIN'),
  data: merchant,
  errors: ['INVALID_STATE'],
} as const satisfies Partial<Definition>;

export const merchants = endpointsOf('gateway', {
  listMerchants: {
    route: 'GET /v1/admin/merchants',
    access: everyRole,
    summary: 'List merchants, newest first',
    description: 'Returns merchants of every status, with their settings. Filters are combined.',
    query: merchantQuery,
    data: merchant,
    paged: true,
  },

  inspectMerchant: {
    route: 'GET /v1/admin/merchants/:id',
    access: everyRole,
    summary: 'Read a merchant',
    description:
      'Returns the merchant with its settings, and states whether the check digits of its CNPJ are ' +
      'correct.',
    data: merchant,
  },

  approveMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/approve',
    summary: 'Approve a pending merchant',
    description:
      'PENDING → APPROVED: production opens. If hasValidCnpj is false, the response is INVALID_CNPJ unless ' +
      '`force` is true. Only one approved account may have a CNPJ; for a second account the response is ' +
      'ACCOUNT_EXISTS. Every status change of a merchant takes effect within five seconds.',
    body: z.object({
      force: z.boolean().optional().meta({
        description: 'Approves a CNPJ although its check digits are wrong. The audit log shows that.',
      }),
    }),
    examples: [
      { summary: 'A CNPJ with correct check digits', body: {} },
      { summary: 'A CNPJ with wrong check digits', body: { force: true } },
    ],
    errors: [...step.errors, 'ACCOUNT_EXISTS', 'INVALID_CNPJ'],
  },

  rejectMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/reject',
    summary: 'Reject a pending merchant',
    description:
      'PENDING → REJECTED. The merchant can still log in and read. It can’t start charges or withdrawals ' +
      'in any environment or create API keys. `reactivate` makes it PENDING again.',
    body: z.object({ reason }),
    examples: [{ summary: 'False identity', body: { reason: 'the CNPJ belongs to another company' } }],
  },

  suspendMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/suspend',
    summary: 'Suspend an approved merchant',
    description:
      'APPROVED → SUSPENDED. The merchant can still log in and read. Operations in progress continue: ' +
      'payments are credited, and operators decide withdrawals. The merchant can’t start charges or ' +
      'withdrawals in any environment or create API keys.',
    body: z.object({ reason }),
    examples: [{ summary: 'Under investigation', body: { reason: 'three disputes for fraud in a day' } }],
  },

  reactivateMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/reactivate',
    summary: 'Reactivate a suspended or rejected merchant',
    description:
      'SUSPENDED → APPROVED: the merchant’s API keys work as before. REJECTED → PENDING: the merchant ' +
      'awaits a new approval or rejection.',
    body: z.object({ reason: optionalText(reason) }),
    examples: [{ summary: 'Resolved case', body: { reason: 'the documents have come' } }],
  },

  changeMerchantSettings: {
    route: 'PATCH /v1/admin/merchants/:id/settings',
    access: operators('ADMIN'),
    freshFactor: true,
    summary: 'Set the fees and limits of a merchant',
    description:
      'Changes only the fields sent. A null `dailyWithdrawalLimit` or `newPayeesPerDay` removes the limit. ' +
      'The new values apply to charges and withdrawals created from then on. A daily limit or a cool-down ' +
      'applies in both environments once it is sent. A change that only lowers limits, lengthens times or ' +
      'turns cards off takes effect at once. All other changes need two operators.',
    body: settings.partial(),
    examples: [
      {
        summary: 'Cards, at 3.49 % and 40 cents',
        body: {
          cardEnabled: true,
          cardFeeBps: 349,
          cardFeeFixed: 40,
          settlementDays: 30,
          settlementCalendar: 'banking',
        },
      },
      {
        summary: 'Withdrawal fee of R$ 2.50 in addition to the amount, R$ 1,000.00 a day without an approval',
        body: { withdrawalFee: 250, withdrawalFeeMode: 'BALANCE', autoApproveLimit: 100000 },
      },
      {
        summary: 'At most R$ 80,000.00 a day, to 25 new payees, with destinations new for 48 hours',
        body: { dailyWithdrawalLimit: 8000000, newPayeesPerDay: 25, destinationCooldownHours: 48 },
      },
      { summary: 'No daily limit', body: { dailyWithdrawalLimit: null } },
    ],
    otherStatus: proposes,
    data: merchant,
  },
} as const satisfies Record<string, Definition>);
