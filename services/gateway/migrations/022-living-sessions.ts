import type { Migration } from '@plataforma/data';

export const livingSessions: Migration = {
  name: '022_living_sessions',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_living',
    // A user's, newest first: the oldest end when there are too many.
    `CREATE INDEX CONCURRENTLY sessions_living ON sessions (user_id, created_at DESC) WHERE ended_at IS NULL`,
  ],
};
