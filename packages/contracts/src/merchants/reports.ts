import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, sum } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { methods } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';

const volumeIntervals = ['hour', 'day', 'month'] as const;

const volumeQuery = z
  .strictObject({
    interval: z.enum(volumeIntervals).default('day'),
    ...period,
    timeZone: zoneOfReport('Time zone of the days and months.'),
    locale,
  })
  .check(daysInZone);

export const volumeColumns = {
  startsAt: csv.time('Início'),
  paymentMethod: csv.word('Meio de pagamento', methods['pt-BR']),
  count: csv.number('Cobranças pagas'),
  grossAmount: csv.money('Bruto'),
  feeAmount: csv.money('Tarifas'),
  netAmount: csv.money('Líquido'),
  refundedAmount: csv.money('Devolvido'),
  disputedAmount: csv.money('Contestado'),
  declinedCount: csv.number('Recusadas'),
  approvalRate: csv.number('Taxa de aprovação'),
};

export type VolumeQuery = z.infer<typeof volumeQuery>;

const cents = sum.nonnegative();

const volume = z
  .object({
    startsAt: timestamp.meta({ description: 'First instant of the interval in this time zone.' }),
    paymentMethod: z.enum(paymentMethods),
    count: count.meta({ description: 'Number of charges paid in the interval.', example: 12 }),
    grossAmount: cents.meta({ description: 'Gross amount of these payments, in cents.', example: 30000 }),
    feeAmount: cents.meta({ example: 300 }),
    netAmount: cents.meta({ example: 29700 }),
    refundedAmount: cents.meta({
      description: 'Cents of these charges that were returned at any time, including lost disputes.',
    }),
    disputedAmount: cents.meta({
      description: 'Cents of these charges in disputes that are not decided.',
    }),
    declinedCount: count.meta({
      description: 'Number of card attempts that began in the interval and failed for any reason.',
    }),
    approvalRate: z.number().min(0).max(1).nullable().meta({
      description: 'Share of card attempts that were paid, to four decimal places. Null for other methods.',
      example: 0.9167,
    }),
  })
  .meta({ id: 'Volume' });

export type VolumeView = z.infer<typeof volume>;

export const reports = endpointsOf('charges', {
  readVolume: {
    route: 'GET /v1/reports/volume',
    access: reads('charges:read', 'charges:write'),
    summary: 'Read the paid amounts by hour, day or month',
    description:
      'Returns rows by interval and payment method, the first interval first. Intervals without a payment ' +
      'or decline are omitted. Charges count at the time of their payment (`paidAt`), so the figures of ' +
      'an interval change when its charges are refunded or disputed. Only the statement never changes. An ' +
      'hour that `startDate` or `endDate` cuts counts in whole. Without `startDate` the response has the ' +
      'last 24 hours, 30 days or 12 months up to `endDate`. At most 31, 366 and 732 days are allowed.',
    query: volumeQuery,
    data: z.object({
      timeZone: z.enum(timeZones),
      interval: z.enum(volumeIntervals),
      volumes: z.array(volume),
    }),
    alsoAs: [csvFile(volumeColumns, 'One row for each interval, the first interval first')],
  },
} as const satisfies Record<string, Definition>);
