import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, id, page, sum, timestamp } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { methods } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';
import { walletTransaction } from './wallet.ts';

const access = reads('wallet:read');

const range = {
  ...period,
  timeZone: zoneOfReport('Whose days are meant. Money settles as a day of America/Sao_Paulo begins.'),
  paymentMethod: z.enum(paymentMethods).optional(),
  locale,
};

const receivableStatuses = ['PENDING', 'SETTLED', 'TAKEN'] as const;

const receivableStatus = z
  .enum(receivableStatuses)
  .default('PENDING')
  .meta({
    description:
      'PENDING: something is still to settle. SETTLED: what was left of it became available. TAKEN: refunds and disputes took ' +
      'all of it before its day.',
  });

const dayQuery = z
  .strictObject({
    ...range,
    status: receivableStatus,
  })
  .check(daysInZone);
const itemQuery = z
  .strictObject({
    ...range,
    status: receivableStatus,
    ...page,
  })
  .check(daysInZone);

export const receivableDayColumns = {
  date: csv.day('Data'),
  paymentMethod: csv.word('Meio de pagamento', methods['pt-BR']),
  count: csv.number('Cobranças'),
  amount: csv.money('Valor'),
};

export const receivableColumns = {
  settlesAt: csv.time('Disponível em'),
  paymentMethod: csv.word('Meio de pagamento', methods['pt-BR']),
  amount: csv.money('Valor'),
  originalAmount: csv.money('Valor original'),
  chargeId: csv.id('Cobrança'),
  status: csv.word('Situação', { PENDING: 'A receber', SETTLED: 'Liquidado', TAKEN: 'Descontado' }),
  settledAt: csv.time('Liquidado em'),
  externalId: csv.text('Pedido'),
  nsu: csv.text('NSU'),
  authorizationCode: csv.text('Código de autorização'),
};

export type ReceivableQuery = z.infer<typeof dayQuery>;
export type ReceivableItemQuery = z.infer<typeof itemQuery>;

const amount = sum.nonnegative().meta({
  description: 'Cents that are still to settle, or of SETTLED ones that became available; 0 of TAKEN ones.',
  example: 4875,
});

const receivableDay = z
  .object({
    date: z.iso.date().meta({ example: '2026-12-21' }),
    paymentMethod: z.enum(paymentMethods),
    count: count.min(1).meta({ description: 'How many charges it is of.' }),
    amount,
  })
  .meta({ id: 'ReceivableDay' });

const receivable = z
  .object({
    chargeId: id,
    paymentMethod: z.enum(paymentMethods),
    amount,
    originalAmount: sum
      .positive()
      .meta({ description: 'What it was before refunds and disputes took of it.', example: 4875 }),
    settlesAt: timestamp,
    status: z.enum(receivableStatuses),
    settledAt: timestamp.nullable().meta({
      description: 'When it became available, as `createdAt` of transactions; null unless it is SETTLED.',
    }),
    ...walletTransaction.pick({ externalId: true, nsu: true, authorizationCode: true }).shape,
  })
  .meta({ id: 'Receivable' });

export type ReceivableDayView = z.infer<typeof receivableDay>;
export type ReceivableView = z.infer<typeof receivable>;

export const receivables = endpointsOf('ledger', {
  listReceivables: {
    route: 'GET /v1/receivables',
    access,
    summary: 'What settles on which day',
    description:
      'Money of paid charges that is pending, by the day on which it becomes available and by payment method, the first day ' +
      'first. Together it is the `pendingBalance` of the balance. A day that is over appears only until its money has been ' +
      'moved, within a minute; from then on `status=SETTLED` has it, by the day on which it was to settle.',
    query: dayQuery,
    data: z.object({
      timeZone: z.enum(timeZones),
      totalAmount: sum.nonnegative(),
      days: z.array(receivableDay),
    }),
    alsoAs: [csvFile(receivableDayColumns, 'The first day first')],
  },

  listReceivableItems: {
    route: 'GET /v1/receivables/items',
    access,
    summary: 'List what is to settle, or has settled, charge by charge, the last to settle first',
    description:
      'What GET /v1/receivables adds up by day: what refunds and disputes took is no longer in `amount`. The period is that of ' +
      '`settlesAt`, of any `status`. A receivable that has settled never changes: money that a dispute or a refund gives back ' +
      'after `settlesAt` is available at once, and only a row of the statement shows it.',
    query: itemQuery,
    data: receivable,
    paged: true,
    alsoAs: [csvFile(receivableColumns, 'The last to settle first')],
  },
} as const satisfies Record<string, Definition>);
