import { hourlySums, hourlySumsBase } from '@plataforma/data';
import { counted } from './029-charge-counts.ts';

/** A payment counts in the hour it came, a declined attempt with a card, which has no payment, in that of its beginning. */
export const summed = {
  table: 'charges',
  by: ['payment_method'],
  isSummed: (row) => `(${row}.paid_at IS NOT NULL OR ${row}.status = 'DECLINED')`,
  instant: (row) => `coalesce(${row}.paid_at, ${row}.created_at)`,
  amounts: {
    paid: (row) => `CASE WHEN ${row}.paid_at IS NULL THEN 0 ELSE 1 END`,
    declined: (row) => `CASE WHEN ${row}.paid_at IS NULL THEN 1 ELSE 0 END`,
    gross_cents: (row) => `CASE WHEN ${row}.paid_at IS NULL THEN 0 ELSE ${row}.amount_cents END`,
    fee_cents: (row) => `CASE WHEN ${row}.paid_at IS NULL THEN 0 ELSE ${row}.fee_cents END`,
    refunded_cents: (row) => `coalesce(${row}.refunded_cents, 0)`,
    disputed_cents: (row) =>
      `CASE WHEN ${row}.status = 'DISPUTED' THEN ${row}.amount_cents - coalesce(${row}.refunded_cents, 0) ELSE 0 END`,
  },
  reads: ['paid_at', 'created_at', 'status', 'amount_cents', 'fee_cents', 'refunded_cents'],
  sums: 'charge_volumes',
  after: counted,
} satisfies Parameters<typeof hourlySums>[1];

export const chargeVolumes = hourlySums('040_charge_volumes', summed);

export const chargesBeforeVolumes = hourlySumsBase('041_charges_before_volumes', summed);
