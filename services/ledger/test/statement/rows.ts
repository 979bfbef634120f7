import type { Database } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';

/** A statement row that a test inserts directly into the table. */
export interface SeededRow {
  id: string;
  type: string;
  amount: number;
  description: string;
  createdAt: string;
  chargeId: string | null;
  withdrawalId: string | null;
  paymentMethod: string | null;
  balanceAfter: number;
}

export function rowWith(changes: Partial<SeededRow> = {}): SeededRow {
  return {
    id: newId(),
    type: 'CREDIT',
    amount: 2_500,
    description: 'Pix charge pedido-1',
    createdAt: '2026-11-20T12:00:00.000Z',
    chargeId: null,
    withdrawalId: null,
    paymentMethod: 'PIX',
    balanceAfter: 0,
    ...changes,
  };
}

const INSERT_ENTRY = `
  INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
  VALUES ($1, 'charge_paid', $1, $2, $3, now())`;
const insertRows = (ordinal: string) => `
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents, description, payment_method, charge_id, withdrawal_id, created_at, ordinal)
  SELECT id, $1, $2, $3, type, amount, "balanceAfter", description, "paymentMethod", "chargeId",
  "withdrawalId",
    "createdAt", ${ordinal}
  FROM ROWS FROM (jsonb_to_recordset($4) AS (id uuid, type text, amount bigint, "balanceAfter" bigint,
    description text, "paymentMethod" text, "chargeId" uuid, "withdrawalId" uuid, "createdAt" timestamptz))
    WITH ORDINALITY AS row (id, type, amount, "balanceAfter", description, "paymentMethod", "chargeId",
      "withdrawalId", "createdAt", place)`;

const NUMBERED = insertRows(`place + coalesce((SELECT max(ordinal) FROM wallet_transactions
  WHERE merchant_id = $2 AND environment = $3), 0)`);
const UNNUMBERED = insertRows('NULL');

/** Inserts the rows of one wallet with one common journal entry. The oldest row must be first. */
export async function seedRows(
  database: Database,
  { merchantId, environment }: Tenant,
  rows: readonly SeededRow[],
  { areNumbered = true } = {},
): Promise<void> {
  const entry = newId();
  await database.query(INSERT_ENTRY, [entry, merchantId, environment]);
  const insert = areNumbered ? NUMBERED : UNNUMBERED;
  await database.query(insert, [entry, merchantId, environment, JSON.stringify(rows)]);
}
