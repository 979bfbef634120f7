import type { Migration } from '@plataforma/data';

export const operatorStanding: Migration = {
  name: '012_operator_standing',
  sql: 'ALTER TABLE operators ADD COLUMN is_active boolean NOT NULL DEFAULT true;',
};
