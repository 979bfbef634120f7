import type { Migration } from '@plataforma/data';

export const signingKey: Migration = {
  name: '004_signing_key',
  sql: `
    CREATE TABLE signing_key (
      is_the_one  boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
      private_jwk jsonb NOT NULL,
      created_at  timestamptz NOT NULL DEFAULT now()
    );
  `,
};
