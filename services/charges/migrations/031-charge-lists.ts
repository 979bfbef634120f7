import type { Migration } from '@plataforma/data';

export const chargeLists: Migration = {
  name: '031_charge_lists',
  online: [
    'DROP INDEX CONCURRENTLY IF EXISTS charges_by_status',
    // A merchant's list, by status and method or merged from all that are seen; amounts are compared without the rows.
    `CREATE INDEX CONCURRENTLY charges_by_status ON charges
      (merchant_id, environment, payment_method, status, created_at DESC, id DESC) INCLUDE (amount_cents)`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_id_tail',
    // What pages show of an id, which begins with the time; a txid ends alike.
    'CREATE INDEX CONCURRENTLY charges_id_tail ON charges (merchant_id, environment, right(id::text, 8))',
    'DROP INDEX CONCURRENTLY IF EXISTS charges_end_to_end_tail',
    // The same of the payment.
    `CREATE INDEX CONCURRENTLY charges_end_to_end_tail ON charges (merchant_id, environment, right(end_to_end_id, 8))
      WHERE end_to_end_id IS NOT NULL`,
    'DROP INDEX CONCURRENTLY IF EXISTS charges_payer',
    // All charges of a payer's document; a part of a name is looked for in the index alone.
    `CREATE INDEX CONCURRENTLY charges_payer ON charges
      (merchant_id, environment, payer_document, payer_name, id)`,
  ],
};

/** The list that is merged by status needs it no more; the release before finds its rows by the other index. */
export const oldChargeList: Migration = {
  name: '032_old_charge_list',
  online: ['DROP INDEX CONCURRENTLY IF EXISTS charges_list'],
};
