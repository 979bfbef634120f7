import type { Migration } from '@plataforma/data';

export const refundAnswers: Migration = {
  name: '008_refund_answers',
  sql: `
    -- One answer to a refund for ever: whoever heard that the balance did not cover it has given it up, and an order
    -- of the same refund that was still on its way must not take the money after all.
    CREATE TABLE refund_answers (
      id         uuid PRIMARY KEY,
      is_refused boolean NOT NULL DEFAULT false
    );
  `,
};
