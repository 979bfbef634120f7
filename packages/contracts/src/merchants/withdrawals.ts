import { z } from 'zod';
import { csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { cents, id, nullableText, page, pixKeyType, text, timestamp } from '../fields.ts';
import { accountTypes } from '../forms/new-destination.ts';
import { newWithdrawal, withdrawalSources } from '../forms/new-withdrawal.ts';
import { daysInZone, period } from '../period.ts';
import { withdrawalWait } from './waiting.ts';
import { withdrawalColumns } from './withdrawal-columns.ts';

export const withdrawalStatuses = [
  'PENDING',
  'APPROVED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'REJECTED',
] as const;

export const failureReasons = [
  'invalid_key',
  'account_not_found',
  'account_closed',
  'account_blocked',
  'limit_exceeded',
  'suspected_fraud',
  'refused_by_bank',
  'timed_out',
  'other',
] as const;
export type FailureReason = (typeof failureReasons)[number];

export const bankAccount = z
  .object({
    bankCode: z.string(),
    branch: z.string(),
    account: z.string(),
    accountType: z.enum(accountTypes),
    holderName: z.string(),
    holderDocument: z.string(),
  })
  .meta({ id: 'BankAccount' });

const withdrawalMethods = ['PIX', 'TED'] as const;

export const withdrawal = z
  .object({
    id,
    amount: cents.meta({ description: 'Cents, as ordered.' }),
    fee: cents,
    netAmount: cents.meta({ description: 'What the payee gets.' }),
    status: z.enum(withdrawalStatuses).meta({
      description:
        'The amount is taken from the balance at once. FAILED and REJECTED give all of it back, with the fee.',
    }),
    method: z
      .enum(withdrawalMethods)
      .meta({ description: 'TED: to a bank account, approved and sent by hand.' }),
    pixKey: nullableText,
    pixKeyType: pixKeyType.nullable(),
    bankAccount: bankAccount.nullable().meta({
      description: 'Where a TED goes, as it was ordered: it stays when the destination is deleted.',
    }),
    source: z.enum(withdrawalSources),
    destinationId: id.nullable(),
    externalId: nullableText,
    providerTxId: nullableText.meta({
      description: 'The end-to-end id of the Pix, or the number of the transfer.',
    }),
    payeeName: nullableText.meta({
      description:
        'The holder of the Pix key, once it is paid and the provider has named them; of a TED that of the account.',
    }),
    failureReason: z.enum(failureReasons).nullable(),
    failureDetail: nullableText.meta({
      description:
        'What was written to the failure: of a TED that came back by an operator, in the sandbox as the `reason` of ' +
        '`POST /v1/sandbox/withdrawals/{id}/fail`. Null of what a provider has failed.',
    }),
    rejectedAt: timestamp.nullable(),
    rejectedReason: nullableText,
    createdAt: timestamp,
    completedAt: timestamp.nullable(),
    failedAt: timestamp.nullable(),
    waitingFor: withdrawalWait.nullable().meta({
      description: 'What it waits for at this moment; null: it goes on at once, or has ended.',
    }),
  })
  .meta({ id: 'Withdrawal' });

export type WithdrawalView = z.infer<typeof withdrawal>;

const withdrawalQuery = z
  .strictObject({
    status: z.enum(withdrawalStatuses).optional(),
    method: z.enum(withdrawalMethods).optional(),
    externalId: text(64).optional(),
    search: text(255)
      .optional()
      .meta({
        description:
          'The whole id, externalId or providerTxId of a withdrawal, or the last 8 characters of one; or a whole Pix key, as ' +
          'withdrawals show it.',
      }),
    ...period,
    locale,
    ...page,
  })
  .check(daysInZone);

export type WithdrawalQuery = z.infer<typeof withdrawalQuery>;

export const withdrawals = endpointsOf('withdrawals', {
  createWithdrawal: {
    route: 'POST /v1/withdrawals',
    access: movesMoney('withdrawals:write'),
    summary: 'Pay out from the balance',
    description:
      'To a Pix key or a saved destination. The amount is taken from the balance before the answer. In the sandbox a Pix ' +
      'is approved within a second; in production up to the limit of the account, and by an operator above it and for ' +
      'bank accounts. Send an Idempotency-Key or an externalId: then the same request may be sent again after any ' +
      'failure. Without either, look at the list before you order again. Of the account’s daily limit counts what was ' +
      'ordered that day of São Paulo and did not come back.',
    body: newWithdrawal,
    examples: [
      {
        summary: 'To a Pix key',
        body: {
          amount: 15_000,
          pixKey: 'maria@exemplo.com.br',
          pixKeyType: 'EMAIL',
          externalId: 'folha-1001',
        },
      },
      {
        summary: 'To a saved destination',
        body: { amount: 250_000, destinationId: exampleId('Destination') },
      },
      {
        summary: 'What decode-qr has shown',
        body: { amount: 4_990, pixKey: '+5511987654321', pixKeyType: 'PHONE', source: 'QR_CODE' },
      },
    ],
    keyed: true,
    warnsInSandbox: true,
    status: 201,
    otherStatus: { status: 200, when: 'The externalId is known: the withdrawal it names.' },
    data: withdrawal,
    errors: [
      'NOT_FOUND',
      'EXTERNAL_ID_CONFLICT',
      'INSUFFICIENT_BALANCE',
      'WITHDRAWAL_LIMIT_REACHED',
      'PROVIDER_UNAVAILABLE',
    ],
  },

  listWithdrawals: {
    route: 'GET /v1/withdrawals',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'List withdrawals, newest first',
    description:
      'Filters narrow each other, and total is exact, but of `search` no more than 10000 are counted ' +
      '(`meta.totalIsCapped`). Those by status, method and days cost the same however many withdrawals there are.',
    query: withdrawalQuery,
    data: withdrawal,
    paged: true,
    alsoAs: [csvFile(withdrawalColumns, 'All that the filters leave, newest first')],
  },

  getWithdrawal: {
    route: 'GET /v1/withdrawals/:id',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'Read a withdrawal',
    description: '`status` says how it ended, and until then `waitingFor` what it waits for at this moment.',
    data: withdrawal,
  },

  cancelWithdrawal: {
    route: 'DELETE /v1/withdrawals/:id',
    access: writes('withdrawals:write'),
    summary: 'Cancel a withdrawal that is not approved yet',
    description:
      'While it is PENDING: it ends REJECTED with the rejectedReason `cancelled by the merchant`, all of its money is in the ' +
      'balance again within moments, and `withdrawal.rejected` is sent. Once it is APPROVED, or has ended, the answer is ' +
      'INVALID_STATE: where no answer came, read it.',
    data: withdrawal,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
