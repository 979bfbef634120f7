import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';

const sumOf = (amount: string, table: string, condition: string) => `
  SELECT count(*)::integer AS count, coalesce(sum(${amount}), 0)::bigint AS amount FROM ${table}
  WHERE id = ANY ($1::uuid[]) AND merchant_id = $2 AND environment = $3 AND ${condition}`;

/** The SQL queries that sum the records behind each kind of credit in the ledger. */
const sums = {
  charge_paid: sumOf('net_cents', 'charges', 'paid_at IS NOT NULL'),
  refund_refused: sumOf('amount_cents', 'refunds', `status = 'REFUSED'`),
  dispute_won: sumOf('amount_cents', 'disputes', `status IN ('RESOLVED_MERCHANT', 'CANCELLED')`),
};

type CreditKind = keyof typeof sums;
export const creditKinds = ['charge_paid', 'refund_refused', 'dispute_won'] as const satisfies CreditKind[];

/** Returns how many of the referenced records belong to the merchant, and the sum of their amounts. */
export async function sumCredited(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { kind, references }: { kind: CreditKind; references: readonly string[] },
): Promise<{ count: number; amount: Cents }> {
  const keys = [references, merchantId, environment];
  const [sum] = await db.query<{ count: number; amount: Cents }>(sums[kind], keys);
  return sum ?? { count: 0, amount: 0 };
}
