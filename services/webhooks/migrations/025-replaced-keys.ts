import type { Migration } from '@plataforma/data';

export const replacedKeys: Migration = {
  name: '025_replaced_keys',
  sql: `
    -- Whoever wants the first waits for both.
    SET LOCAL lock_timeout = '50ms';
    LOCK TABLE deliveries, delivery_attempts IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE deliveries
      DROP CONSTRAINT deliveries_pkey,
      DROP CONSTRAINT deliveries_once,
      ADD CONSTRAINT deliveries_once PRIMARY KEY USING INDEX deliveries_key;
    ALTER TABLE delivery_attempts
      DROP CONSTRAINT delivery_attempts_pkey,
      ADD CONSTRAINT delivery_attempts_pkey PRIMARY KEY USING INDEX delivery_attempts_key;
  `,
};
