import type { Migration } from '@plataforma/data';

export const apiKeyLife: Migration = {
  name: '011_api_key_life',
  sql: `
    ALTER TABLE api_keys
      ADD COLUMN last_used_at timestamptz,
      -- The key it was rotated for; that it was is said in the transaction that makes the new one.
      ADD COLUMN replaced_by  uuid REFERENCES api_keys (id) DEFERRABLE INITIALLY DEFERRED,
      -- Of a rotated key revoked_at is when its grace period ends.
      ADD CONSTRAINT api_keys_replaced_ends CHECK (replaced_by IS NULL OR revoked_at IS NOT NULL);
  `,
};
