import type { Migration } from '@plataforma/data';
import { lockBooks } from './lock-books.ts';

export const operators: Migration = {
  name: '011_operators',
  sql: `
    ${lockBooks}
    -- Why an operator changed a wallet, in the operator's words: with it the same change asked again is recognised.
    ALTER TABLE journal_entries ADD COLUMN memo text;
  `,
};
