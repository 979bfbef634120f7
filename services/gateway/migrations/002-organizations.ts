import type { Migration } from '@plataforma/data';

export const organizations: Migration = {
  name: '002_organizations',
  sql: `
    CREATE TABLE organizations (
      id                  uuid PRIMARY KEY,
      company_name        text NOT NULL,
      cnpj                text NOT NULL CONSTRAINT organizations_cnpj UNIQUE,
      phone               text NOT NULL,
      status              text NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED')),
      checkout_color      text NOT NULL CHECK (checkout_color ~ '^#[0-9a-f]{6}$'),
      pix_fee_bps         integer NOT NULL CHECK (pix_fee_bps BETWEEN 0 AND 10000),
      pix_fee_fixed_cents bigint NOT NULL CHECK (pix_fee_fixed_cents >= 0),
      -- Counts the changes the other services are told of.
      version             integer NOT NULL DEFAULT 1,
      created_at          timestamptz NOT NULL
    );
    -- The operators' list, newest first.
    CREATE INDEX organizations_list ON organizations (created_at DESC, id DESC);

    CREATE TABLE users (
      id              uuid PRIMARY KEY,
      organization_id uuid NOT NULL REFERENCES organizations (id),
      email           text NOT NULL CONSTRAINT users_email UNIQUE,
      password_hash   text NOT NULL,
      created_at      timestamptz NOT NULL
    );
    CREATE INDEX users_organization ON users (organization_id);

    CREATE TABLE sessions (
      id              uuid PRIMARY KEY,
      user_id         uuid NOT NULL REFERENCES users (id),
      organization_id uuid NOT NULL REFERENCES organizations (id),
      -- SHA-256 of the refresh token: whoever reads this table can't log in with it.
      refresh_hash    text NOT NULL CONSTRAINT sessions_refresh UNIQUE,
      created_at      timestamptz NOT NULL,
      expires_at      timestamptz NOT NULL,
      ended_at        timestamptz
    );
  `,
};
