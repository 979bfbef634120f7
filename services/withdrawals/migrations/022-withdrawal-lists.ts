import type { Migration } from '@plataforma/data';

export const withdrawalLists: Migration = {
  name: '022_withdrawal_lists',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS withdrawals_by_status',
    // A merchant's list, by status and method or merged from all that are seen.
    `CREATE INDEX CONCURRENTLY withdrawals_by_status ON withdrawals
      (merchant_id, environment, method, status, created_at DESC, id DESC)`,
    'DROP INDEX CONCURRENTLY IF EXISTS withdrawals_id_tail',
    // What pages show of an id, which begins with the time.
    'CREATE INDEX CONCURRENTLY withdrawals_id_tail ON withdrawals (merchant_id, environment, right(id::text, 8))',
    'DROP INDEX CONCURRENTLY IF EXISTS withdrawals_external_id_tail',
    `CREATE INDEX CONCURRENTLY withdrawals_external_id_tail ON withdrawals
      (merchant_id, environment, right(external_id, 8)) WHERE external_id IS NOT NULL`,
    'DROP INDEX CONCURRENTLY IF EXISTS withdrawals_provider_tx_tail',
    // The whole number of a transfer is found by its end as well.
    `CREATE INDEX CONCURRENTLY withdrawals_provider_tx_tail ON withdrawals
      (merchant_id, environment, right(provider_tx_id, 8)) WHERE provider_tx_id IS NOT NULL`,
  ],
};
