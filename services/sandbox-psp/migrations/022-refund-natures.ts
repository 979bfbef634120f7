import type { Migration } from '@plataforma/data';

export const refundNatures: Migration = {
  name: '022_refund_natures',
  sql: `
    -- The receiver orders ORIGINAL refunds, the payer's bank the others (MED).
    ALTER TABLE refunds ADD COLUMN nature text NOT NULL DEFAULT 'ORIGINAL'
      CHECK (nature IN ('ORIGINAL', 'MED_FRAUDE', 'MED_OPERACIONAL'));
  `,
};
