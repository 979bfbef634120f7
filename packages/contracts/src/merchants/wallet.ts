import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { instant, timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { id, nullableText, sum, text } from '../fields.ts';
import { integerParam, page } from '../paging.ts';
import { daysInZone, period } from '../period.ts';
import { methods, movements, statuses } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';

const access = reads('wallet:read');

const ofMethod = z.object({ availableBalance: sum, pendingBalance: sum });

const balance = z
  .object({
    availableBalance: sum.meta({ description: 'Settled money that belongs to the merchant, in cents.' }),
    withdrawableBalance: sum.meta({
      description: 'Amount that a withdrawal may use, in cents: available less dispute debt.',
    }),
    disputeDebt: sum,
    pendingBalance: sum.meta({ description: 'Card money before its settlement day, in cents.' }),
    reservedBalance: sum.meta({ description: 'Cents reserved for open disputes.' }),
    blockedBalance: sum.meta({ description: 'Cents blocked by an operator.' }),
    totalEarned: sum.meta({ description: 'Gross amount of all paid charges, in cents.' }),
    totalWithdrawn: sum,
    totalFeesPaid: sum,
    breakdown: z.object({ PIX: ofMethod, CARD: ofMethod, BOLETO: ofMethod }),
  })
  .meta({ id: 'Balance', description: 'All amounts are in cents.' });

export type BalanceView = z.infer<typeof balance>;

export const walletTransactionTypes = [
  'CREDIT',
  'DEBIT',
  'FEE',
  'WITHDRAWAL',
  'REFUND',
  'DISPUTE_RESERVE',
  'DISPUTE_RELEASE',
  'DISPUTE_DEFICIT',
] as const;

export const flows = ['in', 'out'] as const;

/** The types of rows in a statement of the available balance. */
const movementTypes = [
  'PAYMENT',
  'SETTLEMENT',
  'REFUND',
  'REFUND_RETURN',
  'DISPUTE_RESERVE',
  'DISPUTE_RELEASE',
  'WITHDRAWAL',
  'WITHDRAWAL_RETURN',
  'BLOCK',
  'UNBLOCK',
  'ADJUSTMENT',
] as const;

export const walletTransaction = z
  .object({
    id,
    type: z.enum(walletTransactionTypes),
    amount: sum.meta({
      description: 'Amount in cents, positive for incoming money and negative for outgoing money.',
      example: -25,
    }),
    description: z.string().meta({ example: 'Fee of Pix charge order-1001' }),
    createdAt: timestamp,
    chargeId: id.nullable(),
    withdrawalId: id.nullable(),
    paymentMethod: z.enum(paymentMethods).nullable().meta({
      description:
        'Payment method of the charge. Null for withdrawals, blocks and adjustments, which have no method.',
    }),
    balanceAfter: sum.meta({
      description:
        'Balance after this row, in cents: available plus pending less dispute debt. With ' +
        '`view=available` it excludes pending money.',
      example: 2475,
    }),
    occurredAt: timestamp.meta({
      description:
        'Time of the movement; for a payment, its `paidAt`. `createdAt` is the time of its posting, which ' +
        'determines the order of lists.',
    }),
    externalId: nullableText.meta({ description: 'Your own id of the charge or withdrawal.' }),
    endToEndId: nullableText.meta({
      description:
        'Number of the Pix that paid the charge or the withdrawal. For a refund, number of the Pix that ' +
        'returned it (`D…`, the `rtrId`). Null means that no number exists or is available yet, or that ' +
        'an earlier release recorded the row.',
    }),
    nsu: nullableText.meta({ description: 'Number at the acquirer (NSU), for a card charge.' }),
    authorizationCode: nullableText.meta({
      description: 'Authorization code of the issuer, for a card charge.',
    }),
    payerName: nullableText.meta({ description: 'Name of the payer, for a charge.' }),
    payeeName: nullableText.meta({
      description:
        'Holder of the Pix key or of the bank account, for a withdrawal. Available once the withdrawal ' +
        'has ended.',
    }),
    refundId: id.nullable().meta({
      description:
        'Id of the refund, for its debit and for a return of its amount to the balance. Null for all ' +
        'other movements.',
    }),
    settlesAt: timestamp.nullable().meta({
      description:
        'Time at which the money becomes available, for a payment and its fee. Null for all other ' +
        'movements.',
    }),
    dispute: z
      .object({
        id,
        outcome: z
          .enum(['WON', 'LOST', 'CANCELLED'])
          .nullable()
          .meta({
            description:
              'Outcome of the dispute. Null while the dispute is undecided. CANCELLED by the payer returns ' +
              'the money as WON does.',
          }),
        resolvedAt: timestamp.nullable(),
      })
      .nullable()
      .meta({
        description:
          'Dispute of a DISPUTE_ row, with its outcome. Every row of the dispute receives the outcome ' +
          'when the dispute ends. A lost dispute adds no row, because its money left the balance with the ' +
          'reserve.',
      }),
    movement: z
      .object({
        type: z.enum(movementTypes).meta({
          description:
            'SETTLEMENT: the remainder of a card charge became available. REFUND_RETURN and ' +
            'WITHDRAWAL_RETURN: the money returned, because the provider refused the refund or the ' +
            'withdrawal failed.',
        }),
        grossAmount: sum.nullable().meta({
          description:
            'Amount before the fee: `amount` is `grossAmount` less `feeAmount`. Null if the movement has ' +
            'no fee of its own.',
          example: 2500,
        }),
        feeAmount: sum
          .nullable()
          .meta({ description: 'Fee in cents. Negative if a fee is returned.', example: 25 }),
      })
      .nullable()
      .meta({
        description: 'Type of the movement, in a statement with `view=available`. Null in every other list.',
      }),
  })
  .meta({ id: 'WalletTransaction' });

export type WalletTransactionView = z.infer<typeof walletTransaction>;

/**
 * An amount in a query, without a sign. Only digits are accepted, because plain coercion reads `''` as 0 and
 * `1e3` as 1000.
 */
const absoluteCents = integerParam(0).meta({
  description: 'Amount in cents, compared with the transaction’s amount without its sign.',
  example: 10000,
});

const transactionQuery = z
  .strictObject({
    type: z.enum(walletTransactionTypes).optional(),
    flow: z.enum(flows).optional().meta({ description: 'Filter by the sign of the amount.' }),
    paymentMethod: z.enum(paymentMethods).optional(),
    ...period,
    locale,
    search: text(255)
      .optional()
      .meta({
        description:
          'Part of the description in any case, or the complete id of a charge or withdrawal. No character ' +
          'has a special meaning.',
      }),
    minAmount: absoluteCents.optional(),
    maxAmount: absoluteCents.optional(),
    ...page,
  })
  .check(daysInZone)
  .refine(({ minAmount = 0, maxAmount = Number.POSITIVE_INFINITY }) => minAmount <= maxAmount, {
    path: ['minAmount'],
    error: 'must not be above maxAmount',
  });

const { RESOLVED_MERCHANT: WON, RESOLVED_CUSTOMER: LOST, CANCELLED } = statuses['pt-BR'].dispute;

export const disputeOutcomeWords = { WON, LOST, CANCELLED };

export const transactionColumns = {
  id: csv.id('Lançamento'),
  createdAt: csv.time('Data e hora'),
  type: csv.word('Tipo', movements['pt-BR']),
  description: csv.text('Descrição'),
  amount: csv.money('Valor'),
  balanceAfter: csv.money('Saldo'),
  paymentMethod: csv.word('Meio de pagamento', methods['pt-BR']),
  chargeId: csv.id('Cobrança'),
  withdrawalId: csv.id('Saque'),
  externalId: { ...csv.text('Seu número'), needsLocale: true },
  endToEndId: { ...csv.text('ID ponta a ponta'), needsLocale: true },
  occurredAt: { ...csv.time('Ocorrido em'), needsLocale: true },
  settlesAt: { ...csv.time('Disponível em'), needsLocale: true },
  disputeId: { ...csv.id('Contestação'), needsLocale: true },
  disputeOutcome: { ...csv.word('Desfecho', disputeOutcomeWords), needsLocale: true },
  disputeResolvedAt: { ...csv.time('Encerrada em'), needsLocale: true },
  refundId: { ...csv.id('Devolução'), needsLocale: true },
  nsu: { ...csv.text('NSU'), needsLocale: true },
  authorizationCode: { ...csv.text('Código de autorização'), needsLocale: true },
  payerName: { ...csv.text('Pagador'), needsLocale: true },
  payeeName: { ...csv.text('Favorecido'), needsLocale: true },
} as const satisfies CsvColumns;

export type TransactionQuery = z.infer<typeof transactionQuery>;

export const wallet = endpointsOf('ledger', {
  getBalance: {
    route: 'GET /v1/balance',
    access,
    summary: 'Read the balance',
    description:
      'Returns the current balance, or the balance at the instant `at`. Before the first entry the ' +
      'balance is zero.',
    query: z.strictObject({
      at: instant.optional().meta({
        description: 'Instant with an offset (write its + as %2B) or Z, not in the future.',
        example: '2026-11-21T12:00:00Z',
      }),
    }),
    data: balance,
  },

  listTransactions: {
    route: 'GET /v1/transactions',
    access,
    summary: 'List wallet transactions, newest first',
    description:
      'Returns every movement of the balance, in the order of the resulting balances. Filters are ' +
      'combined. Filters by type, flow, payment method and date take the same time for any length of ' +
      'history. Search and amounts scan everything that the other filters select, so combine them with a ' +
      'period.',
    query: transactionQuery,
    data: walletTransaction,
    paged: true,
    alsoAs: [csvFile(transactionColumns, 'All rows that match the filters, newest first')],
  },
} as const satisfies Record<string, Definition>);
