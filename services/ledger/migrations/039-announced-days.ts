import type { Migration } from '@plataforma/data';

export const announcedDays: Migration = {
  name: '039_announced_days',
  sql: `
    -- How often the day was announced: the sequence of its latest event.
    ALTER TABLE settled_days ADD COLUMN announcements integer NOT NULL DEFAULT 0;
  `,
};
