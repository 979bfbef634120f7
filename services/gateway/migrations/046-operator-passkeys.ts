import type { Migration } from '@plataforma/data';

export const operatorPasskeys: Migration = {
  name: '046_operator_passkeys',
  sql: `
    CREATE TABLE operator_passkeys (
      id            uuid PRIMARY KEY,
      operator_id   uuid NOT NULL REFERENCES operators (id),
      -- The authenticator made the id and the public key. The key is in the form of COSE.
      credential_id text NOT NULL UNIQUE,
      public_key    bytea NOT NULL,
      -- The signature counter of the last accepted answer; 0 if the authenticator does not count.
      counter       bigint NOT NULL,
      transports    text[] NOT NULL,
      name          text NOT NULL,
      -- The time of the second factor beside which the operator added the passkey. A reset ends both.
      factor_at     timestamptz NOT NULL,
      created_at    timestamptz NOT NULL,
      last_used_at  timestamptz,
      seal          text
    );
    CREATE INDEX operator_passkeys_operator ON operator_passkeys (operator_id, created_at DESC);
    -- Challenges that no answer has used yet.
    CREATE TABLE operator_challenges (
      challenge   text PRIMARY KEY,
      operator_id uuid NOT NULL REFERENCES operators (id),
      -- Null for a log-in.
      session_id  uuid REFERENCES sessions (id) ON DELETE CASCADE,
      purpose     text NOT NULL CHECK (purpose IN ('add', 'prove')),
      expires_at  timestamptz NOT NULL,
      seal        text,
      UNIQUE (session_id, purpose)
    );
  `,
};
