import type { Migration } from '@plataforma/data';

/**
 * The function takes the lock before its query, so that the query sees all rows committed by then. A query in
 * the INSERT itself would miss some rows, because the INSERT's snapshot is older than the lock.
 */
export const singleOrders: Migration = {
  name: '083_single_orders',
  sql: `
    -- Locks an order until the transaction ends. Returns true if no charge outside this payment link has it.
    CREATE FUNCTION lock_order(of_merchant uuid, in_environment text, order_id text,
    link_id uuid) RETURNS boolean
    LANGUAGE plpgsql AS $$
    DECLARE
      -- A variable, because PostgreSQL adds the cost of calling right() to the index. A plan that is made
      -- before the table has statistics would then read all charges of the merchant.
      tail text := right(order_id, 8);
    BEGIN
      PERFORM pg_advisory_xact_lock(36, hashtext(of_merchant::text || in_environment || order_id));
      RETURN NOT EXISTS (SELECT FROM charges
        WHERE merchant_id = of_merchant AND environment = in_environment AND external_id = order_id
          AND right(external_id, 8) = tail AND status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')
          AND payment_link_id IS DISTINCT FROM link_id);
    END $$;
  `,
};
