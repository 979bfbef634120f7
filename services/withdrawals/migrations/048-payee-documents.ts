import type { Migration } from '@plataforma/data';

export const payeeDocuments: Migration = {
  name: '048_payee_documents',
  sql: `
    -- The document of the Pix key's holder, from the same report. A CPF has hidden digits.
    ALTER TABLE withdrawals ADD COLUMN payee_document text;
  `,
};
