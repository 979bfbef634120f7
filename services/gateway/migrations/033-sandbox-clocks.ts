import type { Migration } from '@plataforma/data';

export const sandboxClocks: Migration = {
  name: '033_sandbox_clocks',
  sql: `
    -- By how much a merchant has moved the clock of its sandbox ahead of the real time.
    ALTER TABLE organizations ADD COLUMN sandbox_ahead_ms bigint NOT NULL DEFAULT 0 CHECK (sandbox_ahead_ms >= 0)`,
};
