import type { Migration } from '@plataforma/data';

/**
 * The index for a merchant's list. A query merges the entries of each status and method. The index also has
 * the texts and amounts that a search compares. An index-only scan needs the expression's columns, too.
 */
export const withdrawalsSearched: Migration = {
  name: '042_withdrawals_searched',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS withdrawals_searched',
    `CREATE INDEX CONCURRENTLY withdrawals_searched ON withdrawals (merchant_id, environment, method, status,
      created_at DESC, id DESC, plain_text(coalesce(external_id, '') || ' ' || coalesce(payee_name, '')
        || ' ' || coalesce(bank_account ->> 'holderName', '')))
      INCLUDE (amount_cents, external_id, payee_name, bank_account)`,
  ],
};

/** The old index is dropped in a separate step, so that the list has an index at every moment. */
export const withdrawalsByStatus: Migration = {
  name: '042_withdrawals_by_status',
  online: ['DROP INDEX CONCURRENTLY IF EXISTS withdrawals_by_status'],
};
