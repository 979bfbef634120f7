import type { Migration } from '@plataforma/data';

export const failureDetails: Migration = {
  name: '031_failure_details',
  sql: `
    -- The reason that an operator, or a merchant in the sandbox, gave for the failure.
    ALTER TABLE withdrawals ADD COLUMN failure_detail text;
  `,
};
