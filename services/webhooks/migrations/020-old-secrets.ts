import type { Migration } from '@plataforma/data';

export const oldSecrets: Migration = {
  name: '020_old_secrets',
  sql: `
    -- Secrets that were rotated with a grace, which sign beside the configuration's own until that ends.
    CREATE TABLE old_secrets (
      configuration_id uuid NOT NULL REFERENCES configurations (id),
      -- The configuration's, as long as this was its secret.
      version          integer NOT NULL,
      secret_key_id    text NOT NULL,
      secret_sealed    bytea NOT NULL,
      signs_until      timestamptz NOT NULL,
      PRIMARY KEY (configuration_id, version)
    );
  `,
};
