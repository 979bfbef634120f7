import type { Migration } from '@plataforma/data';

export const paymentOrders: Migration = {
  name: '015_payment_orders',
  sql: `
    -- Of which order the payment is, when its payer may order it again.
    ALTER TABLE payments ADD COLUMN order_id uuid;
    CREATE INDEX payments_order ON payments (order_id) WHERE order_id IS NOT NULL;
  `,
};
