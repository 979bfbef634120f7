import type { Migration } from '@plataforma/data';

export const payoutAlarmKinds: Migration = {
  name: '014_payout_alarm_kinds',
  sql: `
    -- A payout that was completed is paid once more, or in another amount. The replicas of the release before write one
    -- alarm for each withdrawal and "told", so that is what names the kind.
    ALTER TABLE payout_alarms
      DROP CONSTRAINT payout_alarms_check,
      ADD CONSTRAINT payout_alarms_told CHECK (
        told IN ('COMPLETED', 'FAILED', 'RETURNED', 'DONE_TWICE', 'ANOTHER_AMOUNT') AND told <> recorded),
      -- What the provider says was paid, where it says so.
      ADD COLUMN amount_cents bigint CHECK (amount_cents >= 0);
  `,
};
