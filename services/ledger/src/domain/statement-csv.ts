import { type Cents, toDecimal } from '@plataforma/kernel';
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

export const csvHeader = lineOf(Object.keys(columns));

/** The lines of a statement as RFC 4180 has them. */
export function csvLines(rows: readonly WalletTransaction[]): string {
  return rows.map((row) => lineOf(Object.values(columns).map((read) => read(row)))).join('');
}

function lineOf(values: readonly Value[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/** A spreadsheet runs text that begins like a formula, and a merchant's order number may have come from anybody. */
function field(value: Value): string {
  const text = String(value ?? '');
  const harmless = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function decimal(amount: Cents): string {
  return `${amount < 0 ? '-' : ''}${toDecimal(Math.abs(amount))}`;
}
