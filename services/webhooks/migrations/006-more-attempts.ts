import type { Migration } from '@plataforma/data';

export const moreAttempts: Migration = {
  name: '006_more_attempts',
  sql: `
    -- Six of the short schedule, eleven of the extended one.
    ALTER TABLE deliveries
      DROP CONSTRAINT deliveries_attempts_check,
      ADD CONSTRAINT deliveries_attempts_check CHECK (attempts BETWEEN 0 AND 11);

    ALTER TABLE delivery_attempts
      -- The beginning of the answer, masked.
      ADD COLUMN response_body text,
      ADD CONSTRAINT delivery_attempts_body_of_answer CHECK (response_body IS NULL OR status_code IS NOT NULL);
  `,
};
