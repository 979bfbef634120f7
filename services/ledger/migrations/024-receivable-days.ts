import type { Migration } from '@plataforma/data';

export const receivableDays: Migration = {
  name: '024_receivable_days',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS receivables_pending',
    // What of a wallet is to settle: by day, from the index alone, and one by one.
    `CREATE INDEX CONCURRENTLY receivables_pending
       ON receivables (merchant_id, environment, settles_at DESC, charge_id DESC)
       INCLUDE (payment_method, remaining_cents, amount_cents) WHERE remaining_cents > 0`,
  ],
};
