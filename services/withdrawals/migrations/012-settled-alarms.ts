import type { Migration } from '@plataforma/data';

export const settledAlarms: Migration = {
  name: '012_settled_alarms',
  sql: `
    ALTER TABLE payout_alarms
      ADD COLUMN settled_at timestamptz,
      ADD COLUMN settled_by uuid,
      ADD COLUMN note text,
      ADD CHECK (num_nulls(settled_at, settled_by, note) IN (0, 3));
  `,
};
