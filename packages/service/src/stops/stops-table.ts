import type { Migration } from '@plataforma/data';

/** What operators hold up in a service: kept where the orders are, so that it holds while the broker is away. */
export function stopsTable(name: string): Migration {
  return {
    name,
    sql: `
    CREATE TABLE stops (
      id          uuid PRIMARY KEY,
      what        text NOT NULL CHECK (what IN ('payouts', 'refunds', 'returns', 'charges')),
      -- Null: every provider, every merchant.
      provider    text CHECK (provider IN ('pix', 'card', 'payout')),
      merchant_id uuid,
      reason      text NOT NULL,
      stopped_by  uuid NOT NULL,
      stopped_at  timestamptz NOT NULL DEFAULT now(),
      -- Who has asked to start it again first; null as well where one operator has started it alone.
      proposed_by uuid,
      proposed_at timestamptz,
      started_by  uuid,
      started_at  timestamptz,
      CHECK (num_nulls(proposed_by, proposed_at) IN (0, 2)),
      CHECK (num_nulls(started_by, started_at) IN (0, 2)),
      CONSTRAINT stops_two_people CHECK (started_by <> proposed_by)
    );
    -- Stopped once; what is asked where an order leaves.
    CREATE UNIQUE INDEX stops_once ON stops (what, provider, merchant_id) NULLS NOT DISTINCT WHERE started_at IS NULL;
    -- The operators' list.
    CREATE INDEX stops_newest ON stops (stopped_at DESC, id DESC);
  `,
  };
}
