import { timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { timestamp } from '../days.ts';
import { type Definition, endpointsOf, reads } from '../endpoint.ts';
import { count, sum } from '../fields.ts';
import { daysInZone, period, zoneOfReport } from '../period.ts';
import { paymentMethods } from './charge-view.ts';

const summaryTypes = [
  'PAYMENT',
  'FEE',
  'REFUND',
  'DISPUTE',
  'WITHDRAWAL',
  'WITHDRAWAL_FEE',
  'ADJUSTMENT',
  'BLOCK',
] as const;

const summaryQuery = z
  .strictObject({
    ...period,
    timeZone: zoneOfReport('Time zone of the days, and of the month that is the default period.'),
  })
  .check(daysInZone);

export type SummaryQuery = z.infer<typeof summaryQuery>;

const summaryMovement = z
  .object({
    type: z.enum(summaryTypes).meta({
      description:
        'PAYMENT: gross amounts of paid charges. FEE: their fees. REFUND: refunds, less those that ' +
        'failed. DISPUTE: reserves, less those that a won dispute released. WITHDRAWAL and ' +
        'WITHDRAWAL_FEE: withdrawals and their fees, less those that returned. ADJUSTMENT: corrections by ' +
        'the platform. BLOCK: blocked money, less unblocked money.',
    }),
    paymentMethod: z.enum(paymentMethods).nullable().meta({
      description: 'Null for withdrawals, adjustments and blocks, which have no method.',
    }),
    count: count.meta({ description: 'Number of statement rows in this amount.', example: 12 }),
    amount: sum.meta({
      description: 'Sum of these rows in cents, positive for incoming and negative for outgoing money.',
      example: 30000,
    }),
  })
  .meta({ id: 'SummaryMovement' });

const summary = z
  .object({
    timeZone: z.enum(timeZones),
    startsAt: timestamp.meta({ description: 'First instant of the period.' }),
    endsAt: timestamp.meta({ description: 'First instant after the period.' }),
    isOver: z.boolean().meta({
      description:
        'True from one minute after the end of the period. The figures never change from then on. While ' +
        'it is false, they contain the movements so far.',
    }),
    openingBalance: sum.meta({
      description: 'Balance before the period in cents: available plus pending less dispute debt.',
      example: 150000,
    }),
    netAmount: sum.meta({
      description: 'Sum of all PAYMENT, FEE, REFUND and DISPUTE movements in cents.',
      example: 29700,
    }),
    closingBalance: sum.meta({
      description: 'Balance at the end of the period: `openingBalance` plus the amount of each movement.',
      example: 179700,
    }),
    movements: z.array(summaryMovement),
  })
  .meta({ id: 'StatementSummary' });

export type SummaryView = z.infer<typeof summary>;

export const statementSummary = endpointsOf('ledger', {
  summarizeStatement: {
    route: 'GET /v1/statement/summary',
    access: reads('wallet:read'),
    summary: 'Read the sums of a month or of another period',
    description:
      'Returns the opening balance, the sums of all statement rows by type and payment method, and the ' +
      'closing balance, by the time of posting. The opening balance plus all movements is exactly the ' +
      'closing balance. Without `startDate` the period begins with the month of its end; without ' +
      '`endDate` it ends now. At most 366 days are allowed. Movements without rows are omitted.',
    query: summaryQuery,
    data: summary,
  },
} as const satisfies Record<string, Definition>);
