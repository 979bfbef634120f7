import type { Migration } from '@plataforma/data';

export const payeeNames: Migration = {
  name: '032_payee_names',
  sql: `
    -- The name of the Pix key's holder, which the provider reports with the payment.
    ALTER TABLE withdrawals ADD COLUMN payee_name text;
  `,
};
