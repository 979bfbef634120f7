import type { Migration } from '@plataforma/data';

export const entriesOfCharges: Migration = {
  name: '004_entries_of_charges',
  sql: `
    -- Which charge an entry is about: what is pending of a charge is the sum of its entries' pending lines.
    ALTER TABLE journal_entries ADD COLUMN charge_id uuid;
    -- What the charges service compares with the providers: one period, oldest first.
    CREATE INDEX journal_entries_clearing ON journal_entries (environment, occurred_at, id)
      WHERE kind IN ('charge_paid', 'refund', 'refund_refused', 'dispute_lost',
        'unexpected_payment_received', 'unexpected_payment_returned');
  `,
};
