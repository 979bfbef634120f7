import type { Migration } from '@plataforma/data';

export const alarmsSettledByComparison: Migration = {
  name: '028_alarms_settled_by_comparison',
  sql: `
    -- In the order in which payouts lock them: this and the next steps, in one transaction, change both.
    LOCK TABLE withdrawals, payout_alarms IN ACCESS EXCLUSIVE MODE;
    -- A missing debit that the comparison of the books finds is settled by no operator. Everything else is by one.
    ALTER TABLE payout_alarms
      DROP CONSTRAINT payout_alarms_check1,
      ADD CONSTRAINT payout_alarms_settled CHECK (
        num_nulls(settled_at, note) IN (0, 2)
        AND (settled_by IS NULL OR settled_at IS NOT NULL)
        AND (settled_by IS NOT NULL OR settled_at IS NULL OR told = 'NO_DEBIT')) NOT VALID;
  `,
};
