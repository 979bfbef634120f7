import { type Cents, csvLine, toDecimal } from '@plataforma/kernel';
import type { WalletTransaction } from './statement.ts';

type Value = string | number | null;

const columns: Record<string, (row: WalletTransaction) => Value> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  type: ({ type }) => type,
  description: ({ description }) => description,
  amount: ({ amount }) => amount,
  amountDecimal: ({ amount }) => decimal(amount),
  balanceAfter: ({ balanceAfter }) => balanceAfter,
  balanceAfterDecimal: ({ balanceAfter }) => decimal(balanceAfter),
  paymentMethod: ({ paymentMethod }) => paymentMethod,
  chargeId: ({ chargeId }) => chargeId,
  withdrawalId: ({ withdrawalId }) => withdrawalId,
};

export const csvHeader = csvLine(Object.keys(columns));

/** The lines of a statement as RFC 4180 has them. */
export function csvLines(rows: readonly WalletTransaction[]): string {
  return rows.map((row) => csvLine(Object.values(columns).map((read) => read(row)))).join('');
}

function decimal(amount: Cents): string {
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}
