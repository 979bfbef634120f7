import type { Migration } from '@plataforma/data';

export const entryNames: Migration = {
  name: '025_entry_names',
  sql: `
    -- What merchants and banks call it, for statements. Entries from before have neither.
    ALTER TABLE journal_entries
      ADD COLUMN external_id   text,
      ADD COLUMN end_to_end_id text;
  `,
};
