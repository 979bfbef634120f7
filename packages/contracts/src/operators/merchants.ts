import { MAX_AMOUNT } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, operators } from '../endpoint.ts';
import { id, optionalText, page, text, timestamp, visibleText } from '../fields.ts';
import { merchantStatuses } from '../merchants/account.ts';

const bps = z.int().min(0).max(10_000).meta({ description: 'Basis points: 100 are one per cent.' });
const fixedFee = z.int().min(0).max(1_000_000).meta({ description: 'Cents.' });

const limit = z.int().min(0).max(MAX_AMOUNT);

const settings = z
  .object({
    pixFeeBps: bps,
    pixFeeFixed: fixedFee,
    cardFeeBps: bps,
    cardFeeFixed: fixedFee,
    cardEnabled: z.boolean(),
    maxInstallments: z.int().min(1).max(18),
    settlementDays: z.int().min(0).max(365).meta({
      description:
        'Days from a card payment until its money is available: 0 at once, else as that day of São Paulo begins.',
    }),
    settlementCalendar: z.enum(['calendar', 'banking']).meta({
      description: 'Which days are counted: all, or those on which Brazil’s banks settle.',
    }),
    withdrawalFee: z.int().min(0).max(1_000_000).meta({ description: 'Of each withdrawal, in cents.' }),
    withdrawalFeeMode: z.enum(['AMOUNT', 'BALANCE']).meta({
      description:
        'AMOUNT: the fee is a part of what is ordered, and less is paid out. BALANCE: it is taken on top of it.',
    }),
    autoApproveLimit: limit.meta({
      description: 'Cents. Pix withdrawals up to this need no approval in production; 0: every one does.',
    }),
    dailyWithdrawalLimit: limit.nullable().meta({
      description: 'Cents, of all withdrawals of a day of São Paulo together; null: no limit.',
    }),
    destinationCooldownHours: z.int().min(0).max(720).meta({
      description:
        'For how long a destination is new: until then production pays nothing to it; 0: none is ever new.',
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
      .meta({ description: 'False: its check digits are wrong; look before approving.' }),
    phone: z.string(),
    status: z.enum(merchantStatuses),
    settings,
    createdAt: timestamp,
  })
  .meta({ id: 'Merchant' });

export type MerchantView = z.infer<typeof merchant>;

const merchantQuery = z.strictObject({
  status: z.enum(merchantStatuses).optional(),
  search: text(120)
    .optional()
    .meta({ description: 'Part of the name or e-mail, or the whole CNPJ, with or without punctuation.' }),
  ...page,
});

export type MerchantQuery = z.infer<typeof merchantQuery>;

const reason = visibleText(255).meta({ description: 'For the audit log; the merchant is not shown it.' });

/** How an administrator moves a merchant from one status to another. */
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
    description: 'Of every status, with their settings; filters narrow each other.',
    query: merchantQuery,
    data: merchant,
    paged: true,
  },

  inspectMerchant: {
    route: 'GET /v1/admin/merchants/:id',
    access: everyRole,
    summary: 'Read a merchant',
    description: 'With its settings, and whether the check digits of its CNPJ are right.',
    data: merchant,
  },

  approveMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/approve',
    summary: 'Approve a pending merchant',
    description:
      'PENDING → APPROVED: production opens. Look at hasValidCnpj first. One approved account has a CNPJ: a second one is ACCOUNT_EXISTS. Like every step of a merchant it is felt within five seconds.',
    errors: [...step.errors, 'ACCOUNT_EXISTS'],
  },

  rejectMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/reject',
    summary: 'Reject a pending merchant',
    description:
      'PENDING → REJECTED. The merchant still logs in and reads; it starts no charge and no withdrawal in any environment, and creates no API key. `reactivate` makes it PENDING again.',
    body: z.object({ reason }),
    examples: [{ summary: 'Not who it says it is', body: { reason: 'the CNPJ belongs to another company' } }],
  },

  suspendMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/suspend',
    summary: 'Suspend an approved merchant',
    description:
      'APPROVED → SUSPENDED. The merchant still logs in and reads, and what it has begun goes on: payments are credited, withdrawals are decided by operators. It starts no charge and no withdrawal in any environment, and creates no API key.',
    body: z.object({ reason }),
    examples: [{ summary: 'Under investigation', body: { reason: 'three disputes for fraud in a day' } }],
  },

  reactivateMerchant: {
    ...step,
    route: 'POST /v1/admin/merchants/:id/reactivate',
    summary: 'Lift a suspension, or look at a rejected merchant again',
    description:
      'SUSPENDED → APPROVED: its API keys work as before. REJECTED → PENDING: it is approved or rejected anew.',
    body: z.object({ reason: optionalText(reason) }),
    examples: [{ summary: 'All is cleared up', body: { reason: 'the documents have come' } }],
  },

  changeMerchantSettings: {
    route: 'PATCH /v1/admin/merchants/:id/settings',
    access: operators('ADMIN'),
    summary: 'Set what a merchant pays and may do',
    description:
      'Only the fields sent are changed; a `dailyWithdrawalLimit` of null is none. Charges and withdrawals created from then on follow them.',
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
        summary: 'Withdrawals for R$ 2.50 on top, up to R$ 1,000.00 without approval',
        body: { withdrawalFee: 250, withdrawalFeeMode: 'BALANCE', autoApproveLimit: 100000 },
      },
      {
        summary: 'At most R$ 50,000.00 a day, none of it to a destination of the last 24 hours',
        body: { dailyWithdrawalLimit: 5000000, destinationCooldownHours: 24 },
      },
      { summary: 'No daily limit any more', body: { dailyWithdrawalLimit: null } },
    ],
    data: merchant,
  },
} as const satisfies Record<string, Definition>);
