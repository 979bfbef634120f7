import { environments, isUuid, MAX_AMOUNT, PLATFORM_ID } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, idOf, sum, visibleText } from '../fields.ts';
import { proposes } from './proposals.ts';

const environment = z.enum(environments);
export const merchantId = z
  .string()
  .refine((value) => isUuid(value) && value !== PLATFORM_ID, 'must be a merchant’s id')
  .meta({ format: 'uuid' });
const cents = sum.meta({ description: 'Amount in cents.' });

const repeatable = {
  id: idOf()
    .optional()
    .meta({
      description:
        'Your own permanent id of this operation. A repeated request with the same id takes effect once. ' +
        'An Idempotency-Key has this effect for 24 hours.',
    }),
  merchantId,
  environment,
};
const blocked = z.int().min(1).max(MAX_AMOUNT).meta({ description: 'Amount in cents.' });
const why = visibleText(255).meta({ description: 'Text for the audit log. The merchant does not see it.' });

const done = { id, merchantId: id, environment, amount: cents, createdAt: timestamp };
const block = z.object({ ...done, reason: z.string() }).meta({ id: 'LedgerBlock' });
const adjustment = z.object({ ...done, description: z.string() }).meta({ id: 'LedgerAdjustment' });

export type BlockView = z.infer<typeof block>;
export type AdjustmentView = z.infer<typeof adjustment>;

const MERCHANT = exampleId('Merchant');

const methods = ['PIX', 'CARD', 'BOLETO'] as const;

/**
 * The accounts of a merchant. A positive balance is money that the platform owes to the merchant. The balance
 * of `dispute_debt` is never positive.
 */
const merchantAccounts = [
  ...methods.map((method) => `available:${method}` as const),
  ...methods.map((method) => `pending:${method}` as const),
  ...methods.map((method) => `reserved:${method}` as const),
  ...methods.map((method) => `blocked:${method}` as const),
  'dispute_debt',
] as const;

const platformAccounts = [
  ...methods.map((method) => `clearing:${method}` as const),
  'fees',
  'payouts',
  'suspense',
  'dispute_exposure',
  'adjustments',
] as const;

const account = z.enum([...merchantAccounts, ...platformAccounts]);

const balances = z.array(
  z.object({
    account,
    merchantId: id.nullable().meta({ description: 'Null for an account of the platform.' }),
    amount: cents,
  }),
);

/** An endpoint that moves money to or from a merchant's blocked balance. */
const moving = {
  access: finance,
  body: z.object({ ...repeatable, amount: blocked, reason: why }),
  status: 201,
  data: block,
  keyed: true,
  errors: ['INSUFFICIENT_BALANCE', 'INVALID_STATE'],
} as const satisfies Partial<Definition>;

export const adminLedger = endpointsOf('ledger', {
  blockMoney: {
    ...moving,
    route: 'POST /v1/admin/ledger/blocks',
    summary: 'Block a part of a merchant’s withdrawable balance',
    description:
      'The blocked amount stays in the balance as `blockedBalance` until it is released. No withdrawal or ' +
      'refund can use it.',
    examples: [
      {
        summary: 'A court order',
        body: {
          merchantId: MERCHANT,
          environment: 'sandbox',
          amount: 150_000,
          reason: 'Ordem judicial 0001234-56',
        },
      },
    ],
  },

  unblockMoney: {
    ...moving,
    route: 'POST /v1/admin/ledger/unblocks',
    freshFactor: true,
    otherStatus: proposes,
    summary: 'Release blocked money to its merchant',
    description:
      'Cents, at most the blocked amount. The money becomes available again under its original payment ' +
      'method.',
    examples: [
      {
        summary: 'Part of the blocked amount',
        body: {
          merchantId: MERCHANT,
          environment: 'sandbox',
          amount: 50_000,
          reason: 'Ordem judicial revista',
        },
      },
    ],
  },

  adjustWallet: {
    route: 'POST /v1/admin/ledger/adjustments',
    freshFactor: true,
    access: finance,
    summary: 'Credit or debit a merchant',
    description: 'A debit is at most the withdrawable balance, so that no wallet falls below zero.',
    body: z.object({
      ...repeatable,
      amount: z
        .int()
        .min(-MAX_AMOUNT)
        .max(MAX_AMOUNT)
        .refine((value) => value !== 0, 'must not be 0')
        .meta({ description: 'Amount in cents. An amount below 0 is debited from the merchant.' }),
      description: visibleText(255).meta({ description: 'Text that the merchant reads in the statement.' }),
    }),
    examples: [
      {
        summary: 'Refund of a fee',
        body: {
          merchantId: MERCHANT,
          environment: 'sandbox',
          amount: 2_500,
          description: 'Tarifa de novembro devolvida',
        },
      },
    ],
    status: 201,
    otherStatus: proposes,
    data: adjustment,
    keyed: true,
    errors: ['INSUFFICIENT_BALANCE', 'INVALID_STATE'],
  },

  listAccounts: {
    route: 'GET /v1/admin/ledger/accounts',
    access: everyRole,
    summary: 'Read the sums of the books by account',
    description: 'Returns the accounts of the platform and, with merchantId, the accounts of that merchant.',
    query: z.strictObject({
      merchantId: merchantId.optional(),
      environment: environment.default('production'),
      account: account.optional(),
    }),
    data: balances,
  },

  readTrialBalance: {
    route: 'GET /v1/admin/ledger/trial-balance',
    access: everyRole,
    summary: 'Add up all accounts of the books',
    description:
      'Returns the sums of all merchants’ accounts together, by kind. A total other than 0 shows an error ' +
      'in the books.',
    query: z.strictObject({ environment: environment.default('production') }),
    data: z
      .object({ environment, total: cents, accounts: z.array(z.object({ account, amount: cents })) })
      .meta({ id: 'TrialBalance' }),
  },
} as const satisfies Record<string, Definition>);
