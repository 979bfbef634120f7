import type { Migration } from '@plataforma/data';

export const settledReceivables: Migration = {
  name: '031_settled_receivables',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS receivables_done',
    // The index for lists of receivables that have settled, or whose money was taken before the due day.
    `CREATE INDEX CONCURRENTLY receivables_done
       ON receivables (merchant_id, environment, settles_at DESC, charge_id DESC)
       INCLUDE (payment_method, amount_cents) WHERE remaining_cents = 0`,
    'DROP INDEX CONCURRENTLY IF EXISTS journal_entries_settlements',
    "CREATE INDEX CONCURRENTLY journal_entries_settlements ON journal_entries (charge_id) WHERE kind = 'receivable_due'",
  ],
};
