import type { Migration } from '@plataforma/data';

export const expiringKeys: Migration = {
  name: '035_expiring_keys',
  sql: `
    -- The time when the key's end was announced. Keys that a replica of release 0.6.0 creates or revokes need
    -- only the default.
    ALTER TABLE api_keys ADD COLUMN expiring_announced_at timestamptz;
    CREATE INDEX api_keys_to_announce ON api_keys (expires_at)
      WHERE expires_at IS NOT NULL AND expiring_announced_at IS NULL AND revoked_at IS NULL;
  `,
};
