import type { Migration } from '@plataforma/data';

/**
 * The index for links at which stolen card numbers are tested. For each card attempt there, the service
 * checks whether the buyer's network has paid at the link before.
 */
export const paidCallers: Migration = {
  name: '086_paid_callers',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS checkouts_paid_callers',
    `CREATE INDEX CONCURRENTLY checkouts_paid_callers ON checkouts (link_id, caller_group)
      WHERE use = 'USED' AND caller_group IS NOT NULL`,
  ],
};
