import type { Migration } from '@plataforma/data';

export const payoutEnds: Migration = {
  name: '017_payout_ends',
  sql: `
    -- How a payout is to end, whatever its key says; 'hold': not by itself.
    ALTER TABLE payouts ADD COLUMN ordered_end text CHECK (ordered_end IN ('hold', 'complete', 'fail'));
    -- The same of one that has not arrived yet, until it does.
    CREATE TABLE payout_ends (
      payout_id   text PRIMARY KEY CHECK (payout_id ~ '^[a-zA-Z0-9]{1,35}$'),
      ordered_end text NOT NULL CHECK (ordered_end IN ('hold', 'complete', 'fail'))
    );
  `,
};
