import type { Migration } from '@plataforma/data';

export const apiKeys: Migration = {
  name: '003_api_keys',
  sql: `
    CREATE TABLE api_keys (
      id              uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations (id),
      environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      name            text NOT NULL,
      -- SHA-256 of the key, which is shown once and kept nowhere.
      key_hash        text NOT NULL CONSTRAINT api_keys_hash UNIQUE,
      masked_key      text NOT NULL,
      scopes          text[] NOT NULL,
      allowed_ips     text[] NOT NULL,
      created_at      timestamptz NOT NULL,
      expires_at      timestamptz,
      revoked_at      timestamptz
    );
    -- An organization's keys, newest first.
    CREATE INDEX api_keys_list ON api_keys (organization_id, created_at DESC);
  `,
};
