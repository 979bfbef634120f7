import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { csv, csvFile, locale } from '../csv.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, sum, timestamp } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { methods } from '../value-words.ts';
import { paymentMethods } from './charge-view.ts';

const volumeIntervals = ['hour', 'day', 'month'] as const;

const volumeQuery = z
  .strictObject({
    interval: z.enum(volumeIntervals).default('day'),
    ...period,
    timeZone: zoneOfReport('Whose days and months are meant.'),
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
    startsAt: timestamp.meta({ description: 'The first instant of the interval in this zone.' }),
    paymentMethod: z.enum(paymentMethods),
    count: count.meta({ description: 'How many charges were paid in it.', example: 12 }),
    grossAmount: cents.meta({ description: 'Cents that they were paid with.', example: 30000 }),
    feeAmount: cents.meta({ example: 300 }),
    netAmount: cents.meta({ example: 29700 }),
    refundedAmount: cents.meta({
      description: 'Of these charges, whenever it went back; what lost disputes took is in it.',
    }),
    disputedAmount: cents.meta({
      description: 'Cents of these charges under a dispute that is not decided.',
    }),
    declinedCount: count.meta({
      description: 'Attempts with a card that began in it and came to nothing, for whatever reason.',
    }),
    approvalRate: z.number().min(0).max(1).nullable().meta({
      description: 'Of cards: paid of all attempts, to four places. Null: of another method.',
      example: 0.9167,
    }),
  })
  .meta({ id: 'Volume' });

export type VolumeView = z.infer<typeof volume>;

export const reports = endpointsOf('charges', {
  readVolume: {
    route: 'GET /v1/reports/volume',
    access: reads('charges:read', 'charges:write'),
    summary: 'What was paid by hour, day or month',
    description:
      'By interval and payment method, the first interval first; without those in which nothing was paid or declined. Charges ' +
      'count when they were paid (`paidAt`), and so the figures of an interval change as its charges are refunded or disputed: ' +
      'what never changes is the statement. An hour that `startDate` or `endDate` cuts counts in whole. Without `startDate` the last ' +
      '24 hours, 30 days or 12 months up to `endDate`; at most 31, 366 and 732 days.',
    query: volumeQuery,
    data: z.object({
      timeZone: z.enum(timeZones),
      interval: z.enum(volumeIntervals),
      volumes: z.array(volume),
    }),
    alsoAs: [csvFile(volumeColumns, 'The first interval first')],
  },
} as const satisfies Record<string, Definition>);
