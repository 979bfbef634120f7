import type { Migration } from '@plataforma/data';

export const firstTokens: Migration = {
  name: '037_first_tokens',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS sessions_first',
    // The gateway finds the session of a replaced refresh token by the session's first token.
    'CREATE UNIQUE INDEX CONCURRENTLY sessions_first ON sessions (first_hash) WHERE first_hash IS NOT NULL',
  ],
};
