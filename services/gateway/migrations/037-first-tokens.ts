import type { Migration } from '@plataforma/data';

export const firstTokens: Migration = {
  name: '037_first_tokens',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_first',
    // The session of a replaced refresh token is found by its first token.
    'CREATE UNIQUE INDEX CONCURRENTLY sessions_first ON sessions (first_hash) WHERE first_hash IS NOT NULL',
  ],
};
