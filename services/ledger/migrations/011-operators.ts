import type { Migration } from '@plataforma/chassis';

export const operators: Migration = {
  name: '011_operators',
  sql: `
    -- Why an operator changed a wallet, in the operator's words: with it the same change asked again is recognised.
    ALTER TABLE journal_entries ADD COLUMN memo text;
  `,
};
