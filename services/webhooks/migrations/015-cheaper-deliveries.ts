import type { Migration } from '@plataforma/data';

export const cheaperDeliveries: Migration = {
  name: '015_cheaper_deliveries',
  sql: `
    -- A delivery is stored by the statement that stores its event, for a configuration that is found in the same
    -- transaction and is never removed: to look both up once more took a tenth of what a delivery costs the database.
    ALTER TABLE deliveries
      DROP CONSTRAINT deliveries_event_id_fkey,
      DROP CONSTRAINT deliveries_configuration_id_fkey;
    -- An entry for each delivery that is made, and one for each that is claimed when its page is full, for one column of
    -- the operators' list of endpoints: that reads what it counts anyway.
    DROP INDEX deliveries_waiting_since;
  `,
};
