import { environments, isUuid, MAX_AMOUNT, PLATFORM_ID } from '@plataforma/kernel';
import { z } from 'zod';
import { type Definition, endpointsOf, everyRole, finance } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { id, idOf, sum, timestamp, visibleText } from '../fields.ts';

const environment = z.enum(environments);
export const merchantId = z
  .string()
  .refine((value) => isUuid(value) && value !== PLATFORM_ID, 'must be a merchant’s id')
  .meta({ format: 'uuid' });
const cents = sum.meta({ description: 'Cents.' });

const repeatable = {
  id: idOf().optional().meta({
    description:
      'Your own name for it, for ever: sent again with the same id it is done once. An Idempotency-Key does that for 24 hours.',
  }),
  merchantId,
  environment,
};
const blocked = z.int().min(1).max(MAX_AMOUNT).meta({ description: 'Cents.' });
const why = visibleText(255).meta({ description: 'For the audit log; the merchant does not see it.' });

const done = { id, merchantId: id, environment, amount: cents, createdAt: timestamp };
const block = z.object({ ...done, reason: z.string() }).meta({ id: 'LedgerBlock' });
const adjustment = z.object({ ...done, description: z.string() }).meta({ id: 'LedgerAdjustment' });

export type BlockView = z.infer<typeof block>;
export type AdjustmentView = z.infer<typeof adjustment>;

const MERCHANT = exampleId('Merchant');

const methods = ['PIX', 'CARD', 'BOLETO'] as const;

/** Positive: owed to the merchant; its debt is never positive. */
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
    merchantId: id.nullable().meta({ description: 'Null: an account of the platform.' }),
    amount: cents,
  }),
);

/** To and from what is blocked. */
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
      'It stays in the balance as `blockedBalance` until it is given back, and no withdrawal or refund may use it.',
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
    summary: 'Give blocked money back to its merchant',
    description: 'At most what is blocked; it is available again, of the method it was taken from.',
    examples: [
      {
        summary: 'A part of it',
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
    access: finance,
    summary: 'Give a merchant money, or take it',
    description: 'What is taken is at most the withdrawable balance: no wallet falls below zero.',
    body: z.object({
      ...repeatable,
      amount: z
        .int()
        .min(-MAX_AMOUNT)
        .max(MAX_AMOUNT)
        .refine((value) => value !== 0, 'must not be 0')
        .meta({ description: 'Cents; what is below 0 is taken from the merchant.' }),
      description: visibleText(255).meta({ description: 'The merchant reads it in the statement.' }),
    }),
    examples: [
      {
        summary: 'A fee given back',
        body: {
          merchantId: MERCHANT,
          environment: 'sandbox',
          amount: 2_500,
          description: 'Tarifa de novembro devolvida',
        },
      },
    ],
    status: 201,
    data: adjustment,
    keyed: true,
    errors: ['INSUFFICIENT_BALANCE', 'INVALID_STATE'],
  },

  listAccounts: {
    route: 'GET /v1/admin/ledger/accounts',
    access: everyRole,
    summary: 'Read what the lines of the books add up to, account by account',
    description: 'The accounts of the platform and, with merchantId, those of that merchant.',
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
    summary: 'Add up every account of the books',
    description:
      'The accounts of all merchants together, by kind. The total is 0, or a cent came from nowhere.',
    query: z.strictObject({ environment: environment.default('production') }),
    data: z
      .object({ environment, total: cents, accounts: z.array(z.object({ account, amount: cents })) })
      .meta({ id: 'TrialBalance' }),
  },
} as const satisfies Record<string, Definition>);
