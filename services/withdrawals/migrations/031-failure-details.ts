import type { Migration } from '@plataforma/data';

export const failureDetails: Migration = {
  name: '031_failure_details',
  sql: `
    -- What people wrote to the failure of one that they let come back.
    ALTER TABLE withdrawals ADD COLUMN failure_detail text;
  `,
};
