import type { Migration } from '@plataforma/data';

export const debitAnswers: Migration = {
  name: '010_debit_answers',
  sql: `
    -- What was refused is refused for ever: of refunds and withdrawals alike. Only refusals are written from now on.
    ALTER TABLE refund_answers RENAME TO debit_answers;
    -- Under this name a replica of the release before, which may still be running, reads and writes it.
    CREATE VIEW refund_answers AS SELECT id, is_refused FROM debit_answers;
  `,
};
