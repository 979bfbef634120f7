import { z } from 'zod';
import { csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, movesMoney, reads, writes } from '../endpoint.ts';
import { exampleId } from '../example-ids.ts';
import { cents, id, nullableText, pixKeyType, text } from '../fields.ts';
import { accountTypes } from '../forms/new-destination.ts';
import { newWithdrawal, withdrawalSources } from '../forms/new-withdrawal.ts';
import { page, sums } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { searchField } from '../search-field.ts';
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
    amount: cents.meta({ description: 'Ordered amount in cents.' }),
    fee: cents,
    netAmount: cents.meta({ description: 'Amount that the payee receives, in cents.' }),
    status: z.enum(withdrawalStatuses).meta({
      description:
        'Status of the withdrawal. The amount leaves the balance at once. FAILED and REJECTED return all ' +
        'of it, with the fee.',
    }),
    method: z
      .enum(withdrawalMethods)
      .meta({ description: 'Payment method. TED: a payment to a bank account, approved and sent manually.' }),
    pixKey: nullableText,
    pixKeyType: pixKeyType.nullable(),
    bankAccount: bankAccount.nullable().meta({
      description: 'Destination of a TED, as ordered. It stays after the destination is deleted.',
    }),
    source: z.enum(withdrawalSources),
    destinationId: id.nullable(),
    externalId: nullableText,
    providerTxId: nullableText.meta({
      description: 'End-to-end id of the Pix, or the number of the bank transfer.',
    }),
    payeeName: nullableText.meta({
      description:
        'Holder of the Pix key, once it is paid and the provider has named the holder. For a TED, the ' +
        'holder of the account.',
    }),
    payeeDocument: nullableText.meta({
      description:
        'CPF with hidden digits, or CNPJ, of the holder of the Pix key, once it is paid and the provider ' +
        'has named it. For a TED, see `bankAccount`.',
    }),
    failureReason: z.enum(failureReasons).nullable(),
    failureDetail: nullableText.meta({
      description:
        'Text about the failure. For a returned TED an operator wrote it; in the sandbox it is the ' +
        '`reason` of `POST /v1/sandbox/withdrawals/{id}/fail`. Null for a failure at a provider.',
    }),
    rejectedAt: timestamp.nullable(),
    rejectedReason: nullableText,
    createdAt: timestamp,
    completedAt: timestamp.nullable(),
    failedAt: timestamp.nullable(),
    waitingFor: withdrawalWait.nullable().meta({
      description: 'Event that the withdrawal waits for. Null means that it continues at once or has ended.',
    }),
  })
  .meta({ id: 'Withdrawal' });

export type WithdrawalView = z.infer<typeof withdrawal>;

const withdrawalQuery = z
  .strictObject({
    status: z.enum(withdrawalStatuses).optional(),
    method: z.enum(withdrawalMethods).optional(),
    externalId: text(64).optional(),
    search: searchField(
      'a complete id, externalId or providerTxId, the last 8 characters of one, or a complete Pix key ' +
        'with or without punctuation',
      'the externalId and of the payee’s name',
    ),
    ...period,
    locale,
    sums,
    ...page,
  })
  .check(daysInZone);

export type WithdrawalQuery = z.infer<typeof withdrawalQuery>;

/** The body is kept with the withdrawal, and services pass it on in a header. */
const MAX_ORDER_BYTES = 8 * 1024;

export const withdrawals = endpointsOf('withdrawals', {
  createWithdrawal: {
    route: 'POST /v1/withdrawals',
    access: movesMoney('withdrawals:write'),
    signedOrder: true,
    maxBodyBytes: MAX_ORDER_BYTES,
    summary: 'Pay out from the balance',
    description:
      'Pays to a Pix key or a saved destination. The amount leaves the balance before the response. In ' +
      'the sandbox a Pix is approved within a second. In production the Pix withdrawals of a day in São ' +
      'Paulo are approved automatically while their sum is within `autoApproveLimit` and their new payees ' +
      'within `newPayeesPerDay`. An operator approves all others, and payments to bank accounts. Send an ' +
      'Idempotency-Key or an externalId; the same request can then be sent again after any failure. ' +
      'Without either, check the list before you order again. The account’s daily limit counts the ' +
      'amounts ordered on that day in São Paulo that were not returned.',
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
        summary: 'Key from decode-qr',
        body: { amount: 4_990, pixKey: '+5511987654321', pixKeyType: 'PHONE', source: 'QR_CODE' },
      },
    ],
    keyed: true,
    warnsInSandbox: true,
    status: 201,
    otherStatus: { status: 200, when: 'A withdrawal with this externalId exists already and is returned.' },
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
      'Filters are combined. The total is exact, but with `search` at most 10000 withdrawals are counted ' +
      '(`meta.totalIsCapped`). Filters by status, method and days take the same time for any number of ' +
      'withdrawals.',
    query: withdrawalQuery,
    data: withdrawal,
    paged: true,
    alsoAs: [csvFile(withdrawalColumns, 'All rows that match the filters, newest first')],
  },

  getWithdrawal: {
    route: 'GET /v1/withdrawals/:id',
    access: reads('withdrawals:write', 'wallet:read'),
    summary: 'Read a withdrawal',
    description:
      'Returns the withdrawal. `status` gives its outcome, and until then `waitingFor` gives the event ' +
      'that it waits for.',
    data: withdrawal,
  },

  cancelWithdrawal: {
    route: 'DELETE /v1/withdrawals/:id',
    access: writes('withdrawals:write'),
    summary: 'Cancel a withdrawal that is not approved yet',
    description:
      'Requires a PENDING withdrawal. It ends REJECTED with the rejectedReason `cancelled by the ' +
      'merchant`. All its money returns to the balance within moments, and `withdrawal.rejected` is sent. ' +
      'If the withdrawal is APPROVED or has ended, the response is INVALID_STATE. If no response arrives, ' +
      'read the withdrawal.',
    data: withdrawal,
    errors: ['INVALID_STATE'],
  },
} as const satisfies Record<string, Definition>);
