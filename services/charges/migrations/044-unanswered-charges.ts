import type { Migration } from '@plataforma/data';

export const unansweredCharges: Migration = {
  name: '044_unanswered_charges',
  sql: `
    -- A Pix charge whose registration has failed: the provider may know it or not. Most never are, and the update that
    -- gives them their code changes no column of an index.
    ALTER TABLE charges ADD COLUMN is_unanswered boolean NOT NULL DEFAULT false;
    UPDATE charges SET is_unanswered = true WHERE status = 'PENDING' AND payment_method = 'PIX' AND qr_code IS NULL;
    -- That update needs room on the page of its row, for the code too.
    ALTER TABLE charges SET (fillfactor = 70);
  `,
};

/** The release before reads what is unknown by `charges_due`. */
export const unansweredIndex: Migration = {
  name: '045_unanswered_index',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_unknown',
    // What a provider has not given its word on, few among all that wait for their payers: how many, since when.
    `CREATE INDEX CONCURRENTLY charges_unknown ON charges (created_at)
      WHERE status = 'PENDING' AND (payment_method = 'CARD' OR is_unanswered)`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_unanswered',
  ],
};
