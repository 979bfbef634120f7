import type { Migration } from '@plataforma/data';

export const eventTraces: Migration = {
  name: '014_event_traces',
  sql: `
    -- The trace that every attempt to deliver the event belongs to; null: stored before this was kept.
    ALTER TABLE events ADD COLUMN traceparent text;
  `,
};
