import type { Migration } from '@plataforma/data';

/** How often an operator has changed the password: a token says which it was given under. */
export const operatorPasswords: Migration = {
  name: '021_operator_passwords',
  sql: 'ALTER TABLE operators ADD COLUMN password_version integer NOT NULL DEFAULT 0;',
};
