import type { Migration } from '@plataforma/data';

export const payeeNames: Migration = {
  name: '032_payee_names',
  sql: `
    -- The holder of the Pix key, as the provider named them with the payment.
    ALTER TABLE withdrawals ADD COLUMN payee_name text;
  `,
};
