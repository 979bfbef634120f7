import type { Migration } from '@plataforma/data';

export const disputeFiles: Migration = {
  name: '065_dispute_files',
  sql: `
    -- A file of the evidence; it is kept as long as its dispute.
    CREATE TABLE dispute_files (
      id             uuid PRIMARY KEY,
      dispute_id     uuid NOT NULL REFERENCES disputes (id),
      name           text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
      type           text NOT NULL CHECK (type IN ('application/pdf', 'image/png', 'image/jpeg')),
      size_bytes     integer NOT NULL CHECK (size_bytes BETWEEN 1 AND 2097152),
      -- Which key opens it: nonce, tag and ciphertext.
      sealing_key_id text NOT NULL,
      sealed         bytea NOT NULL,
      created_at     timestamptz NOT NULL
    );
    -- What is sealed does not get smaller.
    ALTER TABLE dispute_files ALTER COLUMN sealed SET STORAGE EXTERNAL;
    CREATE INDEX dispute_files_of_dispute ON dispute_files (dispute_id, id);
    -- What an older key has sealed.
    CREATE INDEX dispute_files_sealing_key ON dispute_files (sealing_key_id, id);
  `,
};
