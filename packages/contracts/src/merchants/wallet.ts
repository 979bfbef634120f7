import { z } from 'zod';
import { type CsvColumns, csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { id, instant, integerParam, nullableText, page, sum, text, timestamp } from '../fields.ts';
import { daysInZone, period } from '../period.ts';
import { methods, movements, statuses } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';

const access = reads('wallet:read');

const ofMethod = z.object({ availableBalance: sum, pendingBalance: sum });

const balance = z
  .object({
    availableBalance: sum.meta({ description: 'Settled money that belongs to the merchant.' }),
    withdrawableBalance: sum.meta({ description: 'What a withdrawal may use: available less dispute debt.' }),
    disputeDebt: sum,
    pendingBalance: sum.meta({ description: 'Card money before its settlement day.' }),
    reservedBalance: sum.meta({ description: 'Held for open disputes.' }),
    blockedBalance: sum.meta({ description: 'Held by an operator.' }),
    totalEarned: sum.meta({ description: 'Gross of all paid charges.' }),
    totalWithdrawn: sum,
    totalFeesPaid: sum,
    breakdown: z.object({ PIX: ofMethod, CARD: ofMethod, BOLETO: ofMethod }),
  })
  .meta({ id: 'Balance', description: 'All amounts in cents.' });

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

/** Kinds of rows of the available balance. */
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
    amount: sum.meta({ description: 'Cents; incoming positive, outgoing negative.', example: -25 }),
    description: z.string().meta({ example: 'Fee of Pix charge order-1001' }),
    createdAt: timestamp,
    chargeId: id.nullable(),
    withdrawalId: id.nullable(),
    paymentMethod: z.enum(paymentMethods).nullable().meta({
      description: 'Of the charge; null for withdrawals, blocks and adjustments, which are of no method.',
    }),
    balanceAfter: sum.meta({
      description:
        'Cents: available plus pending less dispute debt, as this row left it; without pending in `view=available`.',
      example: 2475,
    }),
    occurredAt: timestamp.meta({
      description:
        'When it happened, of a payment its `paidAt`; `createdAt` is when it was posted, by which lists go.',
    }),
    externalId: nullableText.meta({ description: 'Your number of the charge or withdrawal.' }),
    endToEndId: nullableText.meta({
      description:
        'Of the Pix that paid the charge or the withdrawal, of a refund of the one that returned it (`D…`, the `rtrId`). Null: there ' +
        'is none, it is not known yet, or a release before recorded the row.',
    }),
    nsu: nullableText.meta({ description: 'Of a card charge: its number at the acquirer (NSU).' }),
    authorizationCode: nullableText.meta({
      description: 'Of a card charge: the code with which the issuer approved it.',
    }),
    payerName: nullableText.meta({ description: 'Of a charge: its payer.' }),
    payeeName: nullableText.meta({
      description:
        'Of a withdrawal: the holder of the Pix key or of the bank account, known once it has ended.',
    }),
    refundId: id
      .nullable()
      .meta({ description: 'Of a refund, and of its amount that came back. Null for everything else.' }),
    settlesAt: timestamp.nullable().meta({
      description: 'Of a payment and its fee: when the money becomes available. Null for everything else.',
    }),
    dispute: z
      .object({
        id,
        outcome: z.enum(['WON', 'LOST', 'CANCELLED']).nullable().meta({
          description: 'Null while it is undecided. CANCELLED by the payer returns the money as WON does.',
        }),
        resolvedAt: timestamp.nullable(),
      })
      .nullable()
      .meta({
        description:
          'Of DISPUTE_ rows: the dispute, and its outcome, which every row of the dispute gets when it ends. A lost dispute adds ' +
          'no row, because its money left the balance with the reserve.',
      }),
    movement: z
      .object({
        type: z.enum(movementTypes).meta({
          description:
            'SETTLEMENT: what was left of a card charge became available. REFUND_RETURN and WITHDRAWAL_RETURN: the money came back, ' +
            'because the provider refused the refund or the withdrawal failed.',
        }),
        grossAmount: sum.nullable().meta({
          description:
            'Before the fee: `amount` is `grossAmount` less `feeAmount`. Null where the movement has no fee of its own.',
          example: 2500,
        }),
        feeAmount: sum.nullable().meta({ description: 'Negative where a fee comes back.', example: 25 }),
      })
      .nullable()
      .meta({ description: 'Of rows of a statement with `view=available`. Null in every other list.' }),
  })
  .meta({ id: 'WalletTransaction' });

export type WalletTransactionView = z.infer<typeof walletTransaction>;

/** An amount without its sign, in a query: digits alone, where plain coercion reads `''` as 0 and `1e3` as 1000. */
const absoluteCents = integerParam(0).meta({
  description: 'Cents, compared with the amount without its sign.',
  example: 10000,
});

const transactionQuery = z
  .strictObject({
    type: z.enum(walletTransactionTypes).optional(),
    flow: z.enum(flows).optional().meta({ description: 'By the sign of the amount.' }),
    paymentMethod: z.enum(paymentMethods).optional(),
    ...period,
    locale,
    search: text(255).optional().meta({
      description:
        'A part of the description in any case, or the whole id of a charge or withdrawal. No character is special.',
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
    description: 'Now or, with `at`, as it stood at that instant; before the first entry it is zero.',
    query: z.strictObject({
      at: instant.optional().meta({
        description: 'With offset (write its + as %2B) or Z; not in the future.',
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
      'Every movement of the balance, in the order in which balances followed. Filters narrow each other. Those by type, ' +
      'flow, payment method and date cost the same however long the history; search and amounts read all of what the ' +
      'others leave: give them a period.',
    query: transactionQuery,
    data: walletTransaction,
    paged: true,
    alsoAs: [csvFile(transactionColumns, 'All that the filters leave, newest first')],
  },
} as const satisfies Record<string, Definition>);
