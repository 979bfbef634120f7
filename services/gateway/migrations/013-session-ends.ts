import type { Migration } from '@plataforma/data';

export const sessionEnds: Migration = {
  name: '013_session_ends',
  sql: `
    -- What is over and can be forgotten.
    CREATE INDEX sessions_end ON sessions (least(ended_at, expires_at));
  `,
};
