import type { Migration } from '@plataforma/data';

export const announcedDays: Migration = {
  name: '039_announced_days',
  sql: `
    -- The number of announcements, which is the sequence of the latest event.
    ALTER TABLE settled_days ADD COLUMN announcements integer NOT NULL DEFAULT 0;
  `,
};
