-- The tables of services that send orders to providers.

-- The timeline finds published events of an aggregate. The index leaves out unpublished rows, so that
-- announcing an event writes no entry.
CREATE INDEX outbox_aggregate ON outbox
  USING hash (substr(body, position('"aggregateId":"' IN body) + 15, 36)) WHERE published_at IS NOT NULL;

-- Copies of merchants, from `merchant.updated`.
CREATE TABLE merchants (
  id       uuid PRIMARY KEY,
  version  integer NOT NULL,
  snapshot jsonb NOT NULL
);

-- The time by which a merchant has moved the clock of its sandbox; other merchants have no row.
CREATE TABLE sandbox_clocks (
  merchant_id uuid PRIMARY KEY,
  ahead_ms    bigint NOT NULL CHECK (ahead_ms > 0)
);

-- Orders that operators have stopped. The stops are beside the orders, so that they apply while the broker is
-- away.
CREATE TABLE stops (
  id          uuid PRIMARY KEY,
  what        text NOT NULL CHECK (what IN ('payouts', 'refunds', 'returns', 'charges')),
  -- Null: every provider, every merchant.
  provider    text CHECK (provider IN ('pix', 'card', 'payout')),
  merchant_id uuid,
  reason      text NOT NULL,
  stopped_by  uuid NOT NULL,
  stopped_at  timestamptz NOT NULL DEFAULT now(),
  -- The first of two operators who end the stop; null as well where one operator ended it alone.
  proposed_by uuid,
  proposed_at timestamptz,
  started_by  uuid,
  started_at  timestamptz,
  CHECK (num_nulls(proposed_by, proposed_at) IN (0, 2)),
  CHECK (num_nulls(started_by, started_at) IN (0, 2)),
  CONSTRAINT stops_two_people CHECK (started_by <> proposed_by)
);
CREATE UNIQUE INDEX stops_once ON stops (what, provider, merchant_id)
  NULLS NOT DISTINCT WHERE started_at IS NULL;
CREATE INDEX stops_newest ON stops (stopped_at DESC, id DESC);
