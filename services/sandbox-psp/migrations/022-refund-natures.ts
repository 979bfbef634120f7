import type { Migration } from '@plataforma/data';

export const refundNatures: Migration = {
  name: '022_refund_natures',
  sql: `
    -- ORIGINAL is ordered by the receiver; the others are the payer's bank's (MED).
    ALTER TABLE refunds ADD COLUMN nature text NOT NULL DEFAULT 'ORIGINAL'
      CHECK (nature IN ('ORIGINAL', 'MED_FRAUDE', 'MED_OPERACIONAL'));
  `,
};
