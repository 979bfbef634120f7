import type { Migration } from '@plataforma/data';

export const unanswered: Migration = {
  name: '010_unanswered',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_unanswered',
    // Charges whose provider has not given its word yet, few among all that wait for their payers: how many, since when.
    `CREATE INDEX CONCURRENTLY charges_unanswered ON charges (created_at)
      WHERE status = 'PENDING' AND qr_code IS NULL`,
  ],
};
