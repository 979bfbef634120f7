import type { Migration } from '@plataforma/data';

export const firstTokens: Migration = {
  name: '037_first_tokens',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_first',
    // A replaced refresh token is found by the first token of its session.
    'CREATE UNIQUE INDEX CONCURRENTLY sessions_first ON sessions (first_hash) WHERE first_hash IS NOT NULL',
  ],
};
