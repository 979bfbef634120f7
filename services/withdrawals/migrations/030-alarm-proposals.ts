import type { Migration } from '@plataforma/data';

export const alarmProposals: Migration = {
  name: '030_alarm_proposals',
  sql: `
    -- Who has asked first to settle an alarm by which the books are accepted; null as well where one operator has alone.
    ALTER TABLE payout_alarms
      ADD COLUMN proposed_by uuid,
      ADD COLUMN proposed_at timestamptz,
      ADD CONSTRAINT payout_alarms_proposed CHECK (num_nulls(proposed_by, proposed_at) IN (0, 2)),
      ADD CONSTRAINT payout_alarms_two_people CHECK (settled_by <> proposed_by);
  `,
};
