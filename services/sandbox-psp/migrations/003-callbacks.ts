import type { Migration } from '@plataforma/data';

export const callbacks: Migration = {
  name: '003_callbacks',
  sql: `
    CREATE TABLE callbacks (
      end_to_end_id text PRIMARY KEY REFERENCES payments (end_to_end_id),
      state         text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DELIVERED', 'ABANDONED')),
      attempts      integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      -- When the next attempt is due; while somebody makes one, when the lease runs out.
      due_at        timestamptz NOT NULL DEFAULT now(),
      lease_token   uuid,
      CHECK (state = 'PENDING' OR lease_token IS NULL)
    ) WITH (fillfactor = 70);
    -- The next callbacks to send.
    CREATE INDEX callbacks_due ON callbacks (due_at) WHERE state = 'PENDING';
  `,
};
