import type { Migration } from '@plataforma/data';

export const destinations: Migration = {
  name: '010_destinations',
  sql: `
    CREATE TABLE destinations (
      id              uuid PRIMARY KEY,
      merchant_id     uuid NOT NULL,
      environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      type            text NOT NULL CHECK (type IN ('PIX', 'BANK_ACCOUNT')),
      pix_key_type    text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP')),
      pix_key         text,
      bank_code       text,
      branch          text,
      account         text,
      account_type    text CHECK (account_type IN ('CHECKING', 'SAVINGS')),
      holder_name     text,
      holder_document text,
      label           text,
      created_at      timestamptz NOT NULL,
      -- Withdrawals still name it when its merchant no longer wants to see it.
      deleted_at      timestamptz,
      CHECK (num_nonnulls(pix_key_type, pix_key) = CASE type WHEN 'PIX' THEN 2 ELSE 0 END),
      CHECK (num_nonnulls(bank_code, branch, account, account_type, holder_name, holder_document)
        = CASE type WHEN 'PIX' THEN 0 ELSE 6 END)
    );
    -- The same key or account is kept once.
    CREATE UNIQUE INDEX destinations_once ON destinations (merchant_id, environment, type, pix_key_type, pix_key,
      bank_code, branch, account, account_type, holder_name, holder_document)
      NULLS NOT DISTINCT WHERE deleted_at IS NULL;
    -- A merchant's list.
    CREATE INDEX destinations_list ON destinations (merchant_id, environment, created_at DESC, id DESC)
      WHERE deleted_at IS NULL;
  `,
};
