import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, id, sum } from '../fields.ts';
import { page } from '../paging.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { methods } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';
import { walletTransaction } from './wallet.ts';

const access = reads('wallet:read');

const range = {
  ...period,
  timeZone: zoneOfReport('Time zone of the days. Money settles when a day of America/Sao_Paulo begins.'),
  paymentMethod: z.enum(paymentMethods).optional(),
  locale,
};

const receivableStatuses = ['PENDING', 'SETTLED', 'TAKEN'] as const;

const receivableStatus = z
  .enum(receivableStatuses)
  .default('PENDING')
  .meta({
    description:
      'PENDING: an amount is still to settle. SETTLED: the remaining amount became available. TAKEN: ' +
      'refunds and disputes consumed the whole amount before its day.',
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
  description:
    'Cents that are still to settle, or cents that became available for a SETTLED receivable. 0 for a ' +
    'TAKEN receivable.',
  example: 4875,
});

const receivableDay = z
  .object({
    date: z.iso.date().meta({ example: '2026-12-21' }),
    paymentMethod: z.enum(paymentMethods),
    count: count.min(1).meta({ description: 'Number of charges.' }),
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
      .meta({ description: 'Cents before refunds and disputes were deducted.', example: 4875 }),
    settlesAt: timestamp,
    status: z.enum(receivableStatuses),
    settledAt: timestamp.nullable().meta({
      description:
        'Time at which the money became available, like `createdAt` of transactions. Null unless the ' +
        'receivable is SETTLED.',
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
    summary: 'Read the settlements of each day',
    description:
      'Returns pending money of paid charges, by the day on which it becomes available and by payment ' +
      'method, the first day first. The sum is the `pendingBalance` of the balance. A past day appears ' +
      'only until its money has been moved, within a minute. After that `status=SETTLED` returns it, by ' +
      'the day on which it was to settle.',
    query: dayQuery,
    data: z.object({
      timeZone: z.enum(timeZones),
      totalAmount: sum.nonnegative(),
      days: z.array(receivableDay),
    }),
    alsoAs: [csvFile(receivableDayColumns, 'One row for each day, the first day first')],
  },

  listReceivableItems: {
    route: 'GET /v1/receivables/items',
    access,
    summary: 'List receivables by charge, latest settlement first',
    description:
      'Returns the charges behind the daily sums of GET /v1/receivables. `amount` excludes money that ' +
      'refunds and disputes consumed. The period applies to `settlesAt`, for any `status`. A settled ' +
      'receivable never changes. Money that a dispute or a refund returns after `settlesAt` is available ' +
      'at once, and only a row of the statement shows it.',
    query: itemQuery,
    data: receivable,
    paged: true,
    alsoAs: [csvFile(receivableColumns, 'One row for each receivable, latest settlement first')],
  },
} as const satisfies Record<string, Definition>);
