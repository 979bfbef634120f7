import type { Migration } from '@plataforma/data';

export const ownLists: Migration = {
  name: '022_own_lists',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS refunds_of_merchant',
    // GET /v1/refunds.
    `CREATE INDEX CONCURRENTLY refunds_of_merchant
      ON refunds (merchant_id, environment, created_at DESC, id DESC)`,
    'DROP INDEX CONCURRENTLY IF EXISTS unexpected_payments_of_merchant',
    // GET /v1/unexpected-payments.
    `CREATE INDEX CONCURRENTLY unexpected_payments_of_merchant
      ON unexpected_payments (merchant_id, environment, created_at DESC, id DESC)
      WHERE merchant_id IS NOT NULL`,
  ],
};
