import type { Migration } from '@plataforma/data';

export const signedOrders: Migration = {
  name: '046_signed_orders',
  sql: `
    -- The gateway's tokens for the merchant's order and for approvals, and the exact body of the order.
    -- Replicas of release 0.6.0 leave the columns null.
    ALTER TABLE withdrawals ADD COLUMN order_token text, ADD COLUMN order_body text,
      ADD COLUMN first_approval text, ADD COLUMN second_approval text;
  `,
};
