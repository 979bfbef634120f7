import type { Migration } from '@plataforma/data';

export const defenseFiles: Migration = {
  name: '016_defense_files',
  sql: `
    -- What a receiver has added to its defense, under an id of its own; of the bytes no more is kept than tells them.
    CREATE TABLE defense_files (
      infraction_id uuid NOT NULL REFERENCES infractions,
      file_id       uuid NOT NULL,
      name          text NOT NULL,
      type          text NOT NULL,
      size_bytes    integer NOT NULL,
      sha256        text NOT NULL,
      PRIMARY KEY (infraction_id, file_id)
    );
    -- Those that the defense names.
    ALTER TABLE infractions ADD COLUMN defense_file_ids uuid[] NOT NULL DEFAULT '{}';
  `,
};
