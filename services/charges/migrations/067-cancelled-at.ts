import type { Migration } from '@plataforma/data';

export const cancelledAt: Migration = {
  name: '067_cancelled_at',
  sql: `
    -- When its merchant or its buyer's other way of paying ended it; null of those that were cancelled before this.
    ALTER TABLE charges ADD COLUMN cancelled_at timestamptz;
  `,
};
