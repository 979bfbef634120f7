import type { Migration } from '@plataforma/data';

export const faults: Migration = {
  name: '008_faults',
  sql: `
    CREATE TABLE faults (
      position  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      operation text NOT NULL CHECK (operation IN ('pix.create', 'pix.read', 'pix.refund', 'card.charge',
                  'card.refund', 'payout.create', 'payout.read')),
      fault     text NOT NULL CHECK (fault IN ('timeout', 'reset', 'error500', 'garbage', 'done_then_500')),
      times     integer NOT NULL CHECK (times BETWEEN 1 AND 1000),
      remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND times)
    );
    -- The fault the next call of an operation meets.
    CREATE INDEX faults_next ON faults (operation, position) WHERE remaining > 0;
  `,
};
