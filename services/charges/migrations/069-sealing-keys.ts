import type { Migration } from '@plataforma/data';

export const sealingKeys: Migration = {
  name: '069_sealing_keys',
  sql: `
    -- In which order keys were put before the others: replicas with two orders of them agree on the newest.
    CREATE TABLE sealing_keys (
      id       text PRIMARY KEY,
      position bigint NOT NULL GENERATED ALWAYS AS IDENTITY
    );
  `,
};
