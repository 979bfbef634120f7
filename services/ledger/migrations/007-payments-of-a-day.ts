import type { Migration } from '@plataforma/data';

export const paymentsOfADay: Migration = {
  name: '007_payments_of_a_day',
  sql: `
    -- The payments of a period, oldest first, and what has become of each: what is compared with the providers.
    CREATE INDEX journal_entries_payments ON journal_entries (environment, occurred_at, id)
      WHERE kind IN ('charge_paid', 'unexpected_payment_received');
    CREATE INDEX journal_entries_reversals ON journal_entries (charge_id)
      WHERE kind IN ('refund', 'refund_refused', 'dispute_lost');
    DROP INDEX journal_entries_clearing;
  `,
};
