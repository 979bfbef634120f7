import { migrate, type Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { type OpenTestDatabase, openTestDatabase } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';

const LAST = migrations.findIndex(({ name }) => name === '008_refund_answers');

export interface Released extends OpenTestDatabase {
  /** Brings it to the schema of now. */
  migrate(): Promise<void>;
  stop(): Promise<void>;
}

/** A database as the last release left it, before entries had hashes and rows numbers. */
export async function startReleased(): Promise<Released> {
  const home = await openTestDatabase();
  await migrate(home.url, migrations.slice(0, LAST + 1));
  return {
    ...home,
    migrate: async () => {
      await migrate(home.url, migrations, home.env.DATABASE_URL);
    },
    stop: () => home.database.close(),
  };
}

type Step = (tx: Transaction) => Promise<unknown>;

/**
 * What that release did, one statement after the other, for a payment of 2,500 with a fee of 25; and before it, as
 * for a refund of that payment, the note that there is an answer.
 */
export function stepsOfRelease({ merchantId, environment }: Tenant): Record<string, Step> {
  const [entry, charge] = [newId(), newId()];
  const owner = [merchantId, environment];
  return {
    answer: (tx) => tx.query('INSERT INTO refund_answers (id) VALUES ($1)', [newId()]),
    wallet: async (tx) => {
      await tx.query(
        'INSERT INTO wallets (merchant_id, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        owner,
      );
      await tx.query(
        'SELECT FROM wallets WHERE merchant_id = $1 AND environment = $2 FOR NO KEY UPDATE',
        owner,
      );
    },
    entry: (tx) =>
      tx.query(
        `INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, charge_id, occurred_at)
         VALUES ($1, 'charge_paid', $2, $3, $4, $2, now())`,
        [entry, charge, ...owner],
      ),
    lines: (tx) =>
      tx.query(
        `INSERT INTO journal_lines VALUES ($1, 'clearing:PIX', -2500), ($1, 'available:PIX', 2475), ($1, 'fees', 25)`,
        [entry],
      ),
    rows: (tx) =>
      tx.query(
        `INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
           balance_after_cents, description, payment_method, charge_id)
         SELECT r.id, $1, $3, $4, type, amount, available_pix_cents + balance, 'Pix charge', 'PIX', $2
         FROM wallets, (VALUES ($5::uuid, 'CREDIT', 2500, 2500), ($6::uuid, 'FEE', -25, 2475))
           AS r (id, type, amount, balance)
         WHERE merchant_id = $3 AND environment = $4`,
        [entry, charge, ...owner, newId(), newId()],
      ),
    save: (tx) =>
      tx.query(
        `UPDATE wallets SET available_pix_cents = available_pix_cents + 2475,
           total_earned_cents = total_earned_cents + 2500, total_fees_paid_cents = total_fees_paid_cents + 25
         WHERE merchant_id = $1 AND environment = $2`,
        owner,
      ),
  };
}

export async function postAsReleased({ database }: Released, tenant: Tenant): Promise<void> {
  await database.transaction(async (tx) => {
    for (const step of Object.values(stepsOfRelease(tenant))) await step(tx);
  });
}
