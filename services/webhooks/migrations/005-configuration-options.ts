import type { Migration } from '@plataforma/data';

export const configurationOptions: Migration = {
  name: '005_configuration_options',
  sql: `
    ALTER TABLE configurations
      ADD COLUMN signature_version text NOT NULL DEFAULT 'v1' CHECK (signature_version IN ('v1', 'standard')),
      ADD COLUMN retry_schedule text NOT NULL DEFAULT 'short' CHECK (retry_schedule IN ('short', 'extended')),
      -- Deleted ones stay for the history of their deliveries, without a secret.
      ADD COLUMN deleted_at timestamptz,
      ALTER COLUMN secret_key_id DROP NOT NULL,
      ALTER COLUMN secret_sealed DROP NOT NULL,
      ADD CONSTRAINT configurations_deleted_is_inactive CHECK (deleted_at IS NULL OR NOT is_active),
      ADD CONSTRAINT configurations_deleted_has_no_secret CHECK (
        (deleted_at IS NULL) = (secret_key_id IS NOT NULL) AND (deleted_at IS NULL) = (secret_sealed IS NOT NULL));
    -- Secrets that are sealed with a key that is being replaced.
    CREATE INDEX configurations_sealed_with ON configurations (secret_key_id) WHERE deleted_at IS NULL;
  `,
};
