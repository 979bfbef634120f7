import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

const totals = [
  'total_earned_cents',
  'total_withdrawn_cents',
  'total_fees_paid_cents',
  'collectable_debt_cents',
];
const of = (row: 'OLD' | 'NEW') => `(${totals.map((column) => `${row}.${column}`).join(', ')})`;

export const keptReceivables: Migration = {
  name: '029_kept_receivables',
  sql: `
    ${lockBooks}
    LOCK TABLE receivables IN ACCESS EXCLUSIVE MODE;
    -- What settles, for whom and on which day is said once, whoever writes to it. Only columns that no posting names are
    -- watched, so that none pays for it.
    CREATE FUNCTION refuse_other_receivables() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a receivable keeps its merchant, amount and day' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER receivables_kept
      BEFORE UPDATE OF charge_id, merchant_id, environment, payment_method, amount_cents, settles_at ON receivables
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_receivables();
    CREATE TRIGGER receivables_stay BEFORE DELETE OR TRUNCATE ON receivables
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_receivables();

    -- Totals are in no line of an entry: they change only beside one.
    CREATE FUNCTION refuse_unbooked_totals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the totals of a wallet change only with its entries' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER wallets_totals AFTER UPDATE ON wallets FOR EACH ROW
      WHEN (OLD.chain_sequence = NEW.chain_sequence AND ${of('OLD')} IS DISTINCT FROM ${of('NEW')})
      EXECUTE FUNCTION refuse_unbooked_totals();
  `,
};
