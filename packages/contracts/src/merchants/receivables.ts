import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { csv, csvFile, locale, methodWords } from '../csv.ts';
import { type Endpoint, reads } from '../endpoint.ts';
import { count, id, page, sum, timestamp } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { paymentMethods } from './charge-view.ts';

const service = 'ledger' as const;
const access = reads('wallet:read');

const range = {
  ...period,
  timeZone: zoneOfReport('Whose days are meant. Money settles as a day of America/Sao_Paulo begins.'),
  paymentMethod: z.enum(paymentMethods).optional(),
  locale,
};

const dayQuery = z.strictObject(range).check(daysInZone);
const itemQuery = z.strictObject({ ...range, ...page }).check(daysInZone);

export const receivableDayColumns = {
  date: csv.day('Data'),
  paymentMethod: csv.word('Forma de pagamento', methodWords),
  count: csv.number('Cobranças'),
  amount: csv.money('Valor'),
};

export const receivableColumns = {
  settlesAt: csv.time('Disponível em'),
  paymentMethod: csv.word('Forma de pagamento', methodWords),
  amount: csv.money('Valor'),
  originalAmount: csv.money('Valor original'),
  chargeId: csv.id('Cobrança'),
};

export type ReceivableQuery = z.infer<typeof dayQuery>;
export type ReceivableItemQuery = z.infer<typeof itemQuery>;

const amount = sum.positive().meta({ description: 'Cents that are still to settle.', example: 4875 });

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
  })
  .meta({ id: 'Receivable' });

export type ReceivableDayView = z.infer<typeof receivableDay>;
export type ReceivableView = z.infer<typeof receivable>;

export const receivables = {
  listReceivables: {
    method: 'get',
    path: '/v1/receivables',
    service,
    access,
    summary: 'What settles on which day',
    description:
      'Money of paid charges that is pending, by the day on which it becomes available and by payment method, the first day ' +
      'first. Together it is the `pendingBalance` of the balance. A day that is over appears only until its money has been ' +
      'moved, within a minute.',
    query: dayQuery,
    status: 200,
    data: z.object({
      timeZone: z.enum(timeZones),
      totalAmount: sum.nonnegative(),
      days: z.array(receivableDay),
    }),
    alsoAs: [csvFile(receivableDayColumns, 'The first day first')],
    errors: [],
  },

  listReceivableItems: {
    method: 'get',
    path: '/v1/receivables/items',
    service,
    access,
    summary: 'List what is to settle, charge by charge, the last to settle first',
    description:
      'What GET /v1/receivables adds up by day: what refunds and disputes took is no longer in `amount`.',
    query: itemQuery,
    status: 200,
    data: receivable,
    paged: true,
    alsoAs: [csvFile(receivableColumns, 'The last to settle first')],
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
