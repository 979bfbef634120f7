import { z } from 'zod';
import { timeZone } from './days.ts';
import { count, sum } from './fields.ts';

/**
 * Returns the schema of an integer in a query. Only decimal digits are accepted: `1e1` and `0x10` are
 * refused.
 */
export function integerParam(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.preprocess(numberIn, z.int().min(min).max(max));
}

/**
 * Returns the schema of an optional integer in a query. The inner schema names the default too, because the
 * OpenAPI document reads only the inner schema.
 */
export function integerOr(byDefault: number, min: number, max: number) {
  const integer = z.int().min(min).max(max).meta({ default: byDefault });
  return z.preprocess(numberIn, integer).default(byDefault);
}

/**
 * Converts decimal digits to a number and returns any other value unchanged, which the schema then refuses.
 */
function numberIn(value: string | number): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

export const page = {
  page: integerOr(1, 1, 1_000_000),
  limit: integerOr(20, 1, 100),
  after: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .meta({
      description:
        'The `meta.next` of the previous page, which returns the page after it. Rows are neither skipped ' +
        'nor repeated, even when rows are added. The filters must stay the same; `page` is ignored.',
    }),
};

/** The parameter of a list that can return its sums. */
export const sums = z.enum(['true', 'false']).optional().meta({
  description: '`true` adds `meta.sums`: the sums of all rows that match the filters, on all pages.',
});

const sumsOfList = z
  .object({
    count: count.meta({
      description:
        'Number of rows that the sums include: all rows, or the 10000 newest rows with filters that ' +
        'cannot be counted in advance.',
    }),
    amount: sum.meta({ description: 'Amounts of all rows, in cents.' }),
    grossAmount: sum.optional().meta({
      description: 'Amounts of the paid charges, in cents. Less fees and refunds it is `netAmount`.',
    }),
    feeAmount: sum.optional().meta({
      description:
        'Fees in cents. Unpaid charges have none, and FAILED and REJECTED withdrawals returned theirs.',
    }),
    refundedAmount: sum.optional().meta({ description: 'Refunded amounts of charges, in cents.' }),
    netAmount: sum.optional().meta({
      description: 'Net amounts of the paid charges in cents, less what was refunded.',
    }),
  })
  .meta({ id: 'Sums' });

export type SumsView = z.infer<typeof sumsOfList>;

export const meta = z
  .object({
    total: count,
    page: count.meta({
      description: 'Number of the page. With `after` it is counted from the first page read.',
    }),
    limit: z.int().min(1).max(100),
    pages: count.meta({
      description: 'Number of pages. While more rows follow, it is at least one more than `page`.',
    }),
    timeZone: timeZone.optional().meta({
      description: 'Time zone of the dates in the query. Absent if the query has no dates.',
    }),
    openingBalance: sum.optional().meta({
      description:
        'Balance before the period of a statement, in cents: available plus pending less dispute debt. ' +
        'With `view=available` it excludes pending money. 0 without `startDate`.',
    }),
    closingBalance: sum.optional().meta({
      description: 'Balance at the end of the period of a statement, or now, in cents.',
    }),
    sums: sumsOfList.optional().meta({ description: 'Sums of the list. Present with `sums=true`.' }),
    totalIsCapped: z.literal(true).optional().meta({ description: 'Whether more rows exist than `total`.' }),
    next: z
      .string()
      .optional()
      .meta({ description: 'Cursor to send as `after` for the next page. Absent on the last page.' }),
  })
  .meta({ id: 'Meta' });

export type Meta = z.infer<typeof meta>;
