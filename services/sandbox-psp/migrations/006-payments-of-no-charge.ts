import type { Migration } from '@plataforma/data';

/** Money may come without any charge: `txid` is what the payer wrote, `charge_txid` the charge it is for. */
export const paymentsOfNoCharge: Migration = {
  name: '006_payments_of_no_charge',
  sql: `
    ALTER TABLE payments
      DROP CONSTRAINT payments_txid_client_id_fkey,
      ALTER COLUMN txid DROP NOT NULL,
      ADD CHECK (txid ~ '^[a-zA-Z0-9]{1,35}$'),
      ADD COLUMN charge_txid text,
      ADD CHECK (charge_txid = txid);
    UPDATE payments SET charge_txid = txid;
    ALTER TABLE payments
      ADD CHECK (charge_txid IS NULL OR txid IS NOT NULL),
      ADD FOREIGN KEY (charge_txid, client_id) REFERENCES charges (txid, client_id);
  `,
};
