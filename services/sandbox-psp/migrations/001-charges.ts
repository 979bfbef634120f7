import type { Migration } from '@plataforma/data';

export const charges: Migration = {
  name: '001_charges',
  sql: `
    CREATE TABLE charges (
      client_id          text NOT NULL,
      txid               text NOT NULL CHECK (txid ~ '^[a-zA-Z0-9]{26,35}$'),
      status             text NOT NULL DEFAULT 'ATIVA'
                           CHECK (status IN ('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR')),
      revision           integer NOT NULL DEFAULT 0 CHECK (revision >= 0),
      amount_cents       bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
      pix_key            text NOT NULL,
      debtor_document    text CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{14})$'),
      debtor_name        text,
      payer_request      text,
      expires_in_seconds integer NOT NULL CHECK (expires_in_seconds > 0),
      created_at         timestamptz(3) NOT NULL,
      location_id        bigint GENERATED ALWAYS AS IDENTITY,
      -- Whoever has it may read the charge: it stands in the QR code.
      location_token     text NOT NULL CONSTRAINT charges_location UNIQUE,
      CHECK ((debtor_document IS NULL) = (debtor_name IS NULL)),
      -- The payer's bank knows the txid alone, so it leads.
      PRIMARY KEY (txid, client_id)
    ) WITH (fillfactor = 80);
  `,
};
