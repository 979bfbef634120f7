import type { Migration } from '@plataforma/data';

export const repeatedDecisions: Migration = {
  name: '048_repeated_decisions',
  sql: `
    -- A decision that an operator repeats on another day, or about a larger amount, counts again.
    ALTER TABLE operator_sums DROP CONSTRAINT operator_sums_pkey,
      ADD PRIMARY KEY (subject_id, action, operator_id, decided_at);
  `,
};
