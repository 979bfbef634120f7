import type { Migration } from '@plataforma/data';

export const rowNames: Migration = {
  name: '038_row_names',
  sql: `
    -- Names that arrive apart from their entry or may have to be removed, because entries never change. No
    -- hash covers them.
    CREATE TABLE row_names (
      -- The charge, refund or withdrawal.
      subject_id         uuid PRIMARY KEY,
      -- The id of the Pix that returned a refund.
      end_to_end_id      text,
      nsu                text,
      authorization_code text,
      -- The payer of a charge, or the payee of a withdrawal.
      person_name        text
    );
  `,
};
