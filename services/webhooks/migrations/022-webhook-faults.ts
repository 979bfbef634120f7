import type { Migration } from '@plataforma/data';

const KINDS = `('duplicate', 'reorder', 'delay', 'bad_signature', 'drop')`;

export const webhookFaults: Migration = {
  name: '022_webhook_faults',
  sql: `
    -- What a merchant of the sandbox has asked for and attempts have not met yet; one that is used up is deleted.
    CREATE TABLE webhook_faults (
      id               uuid PRIMARY KEY,
      merchant_id      uuid NOT NULL,
      environment      text NOT NULL CHECK (environment = 'sandbox'),
      configuration_id uuid NOT NULL REFERENCES configurations (id),
      kind             text NOT NULL CHECK (kind IN ${KINDS}),
      count            integer NOT NULL,
      remaining        integer NOT NULL,
      created_at       timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT webhook_faults_remain CHECK (remaining BETWEEN 1 AND count)
    );
    CREATE INDEX webhook_faults_owner ON webhook_faults (merchant_id, environment, created_at DESC, id DESC);
    CREATE INDEX webhook_faults_next ON webhook_faults (configuration_id, created_at, id);

    -- What an attempt meets, from before it is made: whoever makes it at last, it is the same.
    CREATE TABLE applied_faults (
      delivery_id      uuid NOT NULL,
      attempt          integer NOT NULL,
      configuration_id uuid NOT NULL,
      kind             text NOT NULL CHECK (kind IN ${KINDS}),
      applied_at       timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (delivery_id, attempt)
    );
    CREATE INDEX applied_faults_of_configuration ON applied_faults (configuration_id);

    -- Whether attempts may meet one. In the row that each claim reads anyway, so that those without any cost nothing.
    ALTER TABLE configurations ADD COLUMN is_faulted boolean NOT NULL DEFAULT false;
    CREATE INDEX configurations_faulted ON configurations (id) WHERE is_faulted;
  `,
};
