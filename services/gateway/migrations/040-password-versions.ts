import type { Migration } from '@plataforma/data';

export const passwordVersions: Migration = {
  name: '040_password_versions',
  sql: `
    -- The number of password changes. Tokens of devices name it, so that a change ends them.
    ALTER TABLE users ADD COLUMN password_version integer NOT NULL DEFAULT 0;
  `,
};
