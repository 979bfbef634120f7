-- The ledger of release 0.6.0. The tables that all services have are in shared-tables.sql.
-- A later migration that changes these tables begins as follows, in the order in which a posting locks them:
-- LOCK TABLE wallets, journal_entries, journal_lines, wallet_transactions IN ACCESS EXCLUSIVE MODE;

CREATE TABLE journal_entries (
  id              uuid PRIMARY KEY,
  kind            text NOT NULL,
  reference       uuid NOT NULL,
  merchant_id     uuid NOT NULL,
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  occurred_at     timestamptz NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  charge_id       uuid,
  -- The operator's reason for a change, by which a repeated request is recognised.
  memo            text,
  -- Each entry of a wallet covers itself and the entry before it. Entries of releases without hashes have
  -- neither sequence nor hash, and are marked.
  wallet_sequence bigint CHECK (wallet_sequence > 0),
  previous_hash   bytea,
  -- An entry that is inserted without a hash gets one that verifies nothing, so that the check of the books
  -- finds it.
  hash            bytea DEFAULT '',
  is_before_chain boolean NOT NULL DEFAULT false,
  -- Names for statements; null for older entries.
  external_id     text,
  end_to_end_id   text,
  -- A fact is posted once.
  CONSTRAINT journal_entries_fact UNIQUE (kind, reference),
  CONSTRAINT journal_entries_hashed CHECK (hash IS NOT NULL OR wallet_sequence IS NULL),
  CONSTRAINT journal_entries_chain UNIQUE (merchant_id, environment, wallet_sequence),
  -- Upgraded databases may have older entries, which this constraint does not validate there.
  CONSTRAINT journal_entries_vouched CHECK (hash IS NOT NULL AND NOT is_before_chain)
);
-- Payments of a period, oldest first, and the refunds and lost disputes of each, for reconciliation.
CREATE INDEX journal_entries_payments ON journal_entries (environment, occurred_at, id)
  WHERE kind IN ('charge_paid', 'unexpected_payment_received');
CREATE INDEX journal_entries_reversals ON journal_entries (charge_id)
  WHERE kind IN ('refund', 'refund_refused', 'dispute_lost');
CREATE INDEX journal_entries_unchained ON journal_entries (merchant_id, environment, id)
  WHERE wallet_sequence IS NULL;
-- The check of the books adds up an environment page by page.
CREATE INDEX journal_entries_environment ON journal_entries (environment, id);
-- Entries of a wallet, or those since one of its snapshots.
CREATE INDEX journal_entries_since ON journal_entries (merchant_id, environment, created_at);

CREATE TABLE journal_lines (
  entry_id     uuid NOT NULL REFERENCES journal_entries (id),
  account      text NOT NULL,
  amount_cents bigint NOT NULL CHECK (amount_cents <> 0),
  PRIMARY KEY (entry_id, account)
);

CREATE TABLE wallets (
  -- Money of no merchant is on accounts of the platform only.
  merchant_id            uuid NOT NULL
    CONSTRAINT wallets_merchant CHECK (merchant_id <> '00000000-0000-0000-0000-000000000000'),
  environment            text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  available_pix_cents    bigint NOT NULL DEFAULT 0 CHECK (available_pix_cents >= 0),
  available_card_cents   bigint NOT NULL DEFAULT 0 CHECK (available_card_cents >= 0),
  available_boleto_cents bigint NOT NULL DEFAULT 0 CHECK (available_boleto_cents >= 0),
  pending_pix_cents      bigint NOT NULL DEFAULT 0 CHECK (pending_pix_cents >= 0),
  pending_card_cents     bigint NOT NULL DEFAULT 0 CHECK (pending_card_cents >= 0),
  pending_boleto_cents   bigint NOT NULL DEFAULT 0 CHECK (pending_boleto_cents >= 0),
  reserved_pix_cents     bigint NOT NULL DEFAULT 0 CHECK (reserved_pix_cents >= 0),
  reserved_card_cents    bigint NOT NULL DEFAULT 0 CHECK (reserved_card_cents >= 0),
  reserved_boleto_cents  bigint NOT NULL DEFAULT 0 CHECK (reserved_boleto_cents >= 0),
  blocked_pix_cents      bigint NOT NULL DEFAULT 0 CHECK (blocked_pix_cents >= 0),
  blocked_card_cents     bigint NOT NULL DEFAULT 0 CHECK (blocked_card_cents >= 0),
  blocked_boleto_cents   bigint NOT NULL DEFAULT 0 CHECK (blocked_boleto_cents >= 0),
  dispute_debt_cents     bigint NOT NULL DEFAULT 0 CHECK (dispute_debt_cents >= 0),
  total_earned_cents     bigint NOT NULL DEFAULT 0 CHECK (total_earned_cents >= 0),
  total_withdrawn_cents  bigint NOT NULL DEFAULT 0 CHECK (total_withdrawn_cents >= 0),
  total_fees_paid_cents  bigint NOT NULL DEFAULT 0 CHECK (total_fees_paid_cents >= 0),
  -- The part of the dispute debt that is collected from money that becomes available.
  collectable_debt_cents bigint NOT NULL DEFAULT 0 CHECK (collectable_debt_cents >= 0),
  -- The end of the wallet's chain of entries.
  chain_sequence         bigint NOT NULL DEFAULT 0 CHECK (chain_sequence >= 0),
  chain_hash             bytea,
  -- The time of the last entry. Entries of a later time are not in the balances.
  changed_at             timestamptz NOT NULL DEFAULT clock_timestamp(),
  changes                bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (merchant_id, environment),
  CONSTRAINT wallets_collectable_debt CHECK (collectable_debt_cents <= dispute_debt_cents)
) WITH (fillfactor = 50);

-- Every two-hundredth state of a wallet. An earlier state is the nearest snapshot and the entries since then.
CREATE TABLE wallet_snapshots (
  merchant_id uuid NOT NULL,
  environment text NOT NULL,
  changed_at  timestamptz NOT NULL,
  wallet      jsonb NOT NULL,
  PRIMARY KEY (merchant_id, environment, changed_at)
);

CREATE TABLE wallet_transactions (
  id                  uuid PRIMARY KEY,
  entry_id            uuid NOT NULL REFERENCES journal_entries (id),
  merchant_id         uuid NOT NULL,
  environment         text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  type                text NOT NULL CHECK (type IN ('CREDIT', 'DEBIT', 'FEE', 'WITHDRAWAL', 'REFUND',
                        'DISPUTE_RESERVE', 'DISPUTE_RELEASE', 'DISPUTE_DEFICIT')),
  amount_cents        bigint NOT NULL CHECK (amount_cents <> 0),
  balance_after_cents bigint NOT NULL,
  description         text NOT NULL,
  -- Null: a withdrawal, block or adjustment takes money of all methods.
  payment_method      text CHECK (payment_method IN ('PIX', 'CARD', 'BOLETO')),
  charge_id           uuid,
  created_at          timestamptz NOT NULL DEFAULT now(),
  withdrawal_id       uuid,
  -- The filters of a list, except dates, in one column.
  category            text NOT NULL GENERATED ALWAYS AS
    (type || ':' || coalesce(payment_method, '')
      || ':' || CASE WHEN amount_cents > 0 THEN 'in' ELSE 'out' END)
    STORED,
  -- 1, 2, 3 … within a wallet, in the order of posting.
  ordinal             bigint NOT NULL,
  CONSTRAINT wallet_transactions_withdrawal CHECK (type <> 'WITHDRAWAL' OR withdrawal_id IS NOT NULL)
);
-- The hash of an entry covers its rows.
CREATE INDEX wallet_transactions_entry ON wallet_transactions (entry_id);
-- A merchant's statement from any row on, unfiltered and filtered.
CREATE UNIQUE INDEX wallet_transactions_ordinal ON wallet_transactions (merchant_id, environment, ordinal);
CREATE INDEX wallet_transactions_category
  ON wallet_transactions (merchant_id, environment, category, ordinal);

-- The number of rows of a category that a wallet has at the end of a UTC day. A period's count is the
-- difference of two rows.
CREATE TABLE wallet_row_counts (
  merchant_id  uuid NOT NULL,
  environment  text NOT NULL,
  category     text NOT NULL,
  day          date NOT NULL,
  rows_until   bigint NOT NULL CHECK (rows_until > 0),
  last_ordinal bigint NOT NULL CHECK (last_ordinal >= rows_until),
  PRIMARY KEY (merchant_id, environment, category, day)
) WITH (fillfactor = 70);

CREATE TABLE receivables (
  charge_id       uuid PRIMARY KEY,
  merchant_id     uuid NOT NULL,
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  payment_method  text NOT NULL CHECK (payment_method IN ('PIX', 'CARD', 'BOLETO')),
  amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
  remaining_cents bigint NOT NULL CHECK (remaining_cents BETWEEN 0 AND amount_cents),
  settles_at      timestamptz NOT NULL,
  -- The reference of the next settlement entry. It changes when money comes back.
  due_reference   uuid NOT NULL,
  -- The end of the lease of the replica that settles it.
  claimed_until   timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX receivables_due ON receivables (settles_at) WHERE remaining_cents > 0;
-- The check of the books adds up a wallet's receivables.
CREATE INDEX receivables_wallet ON receivables (merchant_id, environment);
-- Pending money of a wallet by day, from the index alone.
CREATE INDEX receivables_pending ON receivables (merchant_id, environment, settles_at DESC, charge_id DESC)
  INCLUDE (payment_method, remaining_cents, amount_cents) WHERE remaining_cents > 0;

-- Refused refunds and withdrawals. A refusal is final: an order that arrives later must not take the money.
CREATE TABLE debit_answers (
  id         uuid CONSTRAINT refund_answers_pkey PRIMARY KEY,
  is_refused boolean NOT NULL DEFAULT false
);

CREATE TABLE sandbox_clocks (
  merchant_id uuid PRIMARY KEY,
  ahead_ms    bigint NOT NULL CHECK (ahead_ms > 0)
);

-- The progress of the rolling check of the books: one row for all replicas.
CREATE TABLE book_checks (
  is_only        boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- A replica records its turn only if no other turn has started since.
  turn           bigint NOT NULL DEFAULT 0,
  next_turn_at   timestamptz NOT NULL DEFAULT now(),
  -- The place where the round continues; empty at its start, null between rounds.
  place          text,
  round_began_at timestamptz NOT NULL DEFAULT '-infinity',
  found          bigint NOT NULL DEFAULT 0 CHECK (found >= 0),
  -- The end and the result of the last complete round.
  checked_at     timestamptz NOT NULL DEFAULT now(),
  differences    bigint NOT NULL DEFAULT 0 CHECK (differences >= 0)
);
INSERT INTO book_checks DEFAULT VALUES;

-- One row an hour: a hash over the previous head and the chain ends of all wallets that have grown since
-- then.
CREATE TABLE journal_heads (
  sequence      bigint PRIMARY KEY CHECK (sequence > 0),
  previous_hash bytea UNIQUE,
  hash          bytea NOT NULL UNIQUE,
  at            timestamptz NOT NULL DEFAULT now(),
  CHECK ((previous_hash IS NULL) = (sequence = 1))
);
-- The wallets that a head covers, and the last covered entry of each.
CREATE TABLE journal_head_wallets (
  head_sequence   bigint NOT NULL,
  merchant_id     uuid NOT NULL,
  environment     text NOT NULL,
  wallet_sequence bigint NOT NULL CHECK (wallet_sequence > 0),
  PRIMARY KEY (merchant_id, environment, head_sequence)
);
CREATE INDEX journal_head_wallets_head ON journal_head_wallets (head_sequence);
INSERT INTO chain_heads (chain) VALUES ('journal');

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER journal_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallet_transactions_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER wallet_snapshots_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_snapshots
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_heads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_head_wallets_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_head_wallets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A statement that writes lines must leave each of its entries at zero.
CREATE FUNCTION refuse_unbalanced_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM inserted GROUP BY entry_id HAVING sum(amount_cents) <> 0) THEN
    RAISE EXCEPTION 'the lines of an entry must add up to zero' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER journal_lines_balance AFTER INSERT ON journal_lines
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced_entries();

-- Functions below disable sequential and bitmap scans, because a plan that was cached while tables were small
-- would read whole tables later.

-- Numbers a row that is inserted without an ordinal.
CREATE FUNCTION number_wallet_row() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  last record;
BEGIN
  SELECT t.ordinal, t.created_at INTO last FROM wallet_transactions t
  WHERE t.merchant_id = NEW.merchant_id AND t.environment = NEW.environment
  ORDER BY t.ordinal DESC LIMIT 1;
  NEW.ordinal := coalesce(last.ordinal, 0) + 1;
  -- A clock that was set back does not reorder rows.
  NEW.created_at := greatest(NEW.created_at, last.created_at);
  RETURN NEW;
END $$;
CREATE TRIGGER wallet_transactions_number BEFORE INSERT ON wallet_transactions
  FOR EACH ROW WHEN (NEW.ordinal IS NULL) EXECUTE FUNCTION number_wallet_row();

-- The inserting transaction has locked its wallets, so that no other transaction counts their rows meanwhile.
CREATE FUNCTION count_wallet_rows() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  INSERT INTO wallet_row_counts (merchant_id, environment, category, day, rows_until, last_ordinal)
  SELECT added.merchant_id, added.environment, added.category, added.day,
    coalesce(last.rows_until, 0) + added.rows_until, added.last_ordinal
  FROM (
    SELECT merchant_id, environment, category, (created_at AT TIME ZONE 'UTC')::date AS day,
      sum(count(*)) OVER (PARTITION BY merchant_id, environment, category
        ORDER BY (created_at AT TIME ZONE 'UTC')::date) AS rows_until,
      max(ordinal) AS last_ordinal
    FROM inserted GROUP BY 1, 2, 3, 4) AS added
  LEFT JOIN LATERAL (
    SELECT c.rows_until FROM wallet_row_counts c
    WHERE c.merchant_id = added.merchant_id AND c.environment = added.environment
      AND c.category = added.category
    ORDER BY c.day DESC LIMIT 1) AS last ON true
  ON CONFLICT (merchant_id, environment, category, day)
    DO UPDATE SET rows_until = excluded.rows_until, last_ordinal = excluded.last_ordinal;
  RETURN NULL;
END $$;
CREATE TRIGGER wallet_transactions_count AFTER INSERT ON wallet_transactions
  REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION count_wallet_rows();

-- Returns the time of the write to each locked wallet, and its last row. The time is the clock's and not the
-- transaction's, because a transaction that began first may get the lock last. A sandbox has its own clock.
CREATE FUNCTION wallet_moments(merchant_ids uuid[], environments text[])
  RETURNS TABLE (merchant_id uuid, environment text, last_row bigint, at timestamptz)
  LANGUAGE sql SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT locked.merchant_id, locked.environment, coalesce(last.ordinal, 0),
    greatest(
      CASE WHEN locked.environment = 'sandbox'
        THEN clock_timestamp() + coalesce(
          (SELECT ahead_ms FROM sandbox_clocks c WHERE c.merchant_id = locked.merchant_id), 0)
          * interval '1 millisecond'
        ELSE clock_timestamp() END,
      w.changed_at + interval '1 microsecond', last.created_at)
  FROM unnest(merchant_ids, environments) AS locked (merchant_id, environment)
  -- OFFSET 0 looks up each wallet by itself; a free join may read all of them.
  JOIN LATERAL (SELECT changed_at FROM wallets
    WHERE merchant_id = locked.merchant_id AND environment = locked.environment OFFSET 0) AS w ON true
  LEFT JOIN LATERAL (SELECT t.ordinal, t.created_at FROM wallet_transactions t
    WHERE t.merchant_id = locked.merchant_id AND t.environment = locked.environment
    ORDER BY t.ordinal DESC LIMIT 1) AS last ON true
$$;

-- Returns the entries of facts with their lines, and whether a debit was refused. OFFSET 0 looks up each fact
-- by itself; a free join of a batch reads the whole journal.
CREATE FUNCTION standing_facts(kinds text[], reference_ids uuid[])
  RETURNS TABLE (wanted uuid, is_refused boolean, id uuid, kind text, reference uuid, merchant_id uuid,
    environment text, charge_id uuid, occurred_at timestamptz, memo text, lines json)
  LANGUAGE sql SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off SET enable_bitmapscan = off AS $$
  SELECT wanted.reference, answer.is_refused, e.id, e.kind, e.reference, e.merchant_id, e.environment,
    e.charge_id, e.occurred_at, e.memo,
    (SELECT json_agg(json_build_object('account', l.account, 'amount', l.amount_cents) ORDER BY l.account)
     FROM journal_lines l WHERE l.entry_id = e.id)
  FROM unnest(kinds, reference_ids) AS wanted (kind, reference)
  LEFT JOIN LATERAL (SELECT * FROM journal_entries
    WHERE kind = wanted.kind AND reference = wanted.reference OFFSET 0) AS e ON true
  LEFT JOIN LATERAL (SELECT a.is_refused FROM debit_answers a
    WHERE a.id = wanted.reference AND a.is_refused
      AND wanted.kind IN ('refund', 'withdrawal_created') OFFSET 0)
    AS answer ON true
  WHERE e.id IS NOT NULL OR answer.is_refused
$$;

CREATE FUNCTION note_wallet_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- An update without an entry does not set changed_at.
  IF NEW.changed_at <= OLD.changed_at THEN
    NEW.changed_at := greatest(clock_timestamp(), OLD.changed_at + interval '1 microsecond');
  END IF;
  NEW.changes := OLD.changes + 1;
  IF NEW.changes % 200 = 0 THEN
    INSERT INTO wallet_snapshots (merchant_id, environment, changed_at, wallet)
    VALUES (NEW.merchant_id, NEW.environment, NEW.changed_at, to_jsonb(NEW))
    ON CONFLICT (merchant_id, environment, changed_at) DO NOTHING;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER wallets_change BEFORE UPDATE ON wallets
  FOR EACH ROW EXECUTE FUNCTION note_wallet_change();

-- A wallet changes by exactly the lines of the entries by which its chain grows. The search path is fixed, so
-- that a session's temporary tables cannot replace the journal. Sorting is off, because a cached plan that
-- sorts would read every entry of the environment.
CREATE FUNCTION refuse_unbooked_wallets() RETURNS trigger LANGUAGE plpgsql
  SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off
  SET enable_sort = off SET enable_incremental_sort = off AS $$
BEGIN
  IF (SELECT count(*) FROM after)
    <> (SELECT count(*) FROM after JOIN before USING (merchant_id, environment)) THEN
    RAISE EXCEPTION 'a wallet stays its merchant''s' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (
    SELECT FROM after a JOIN before b USING (merchant_id, environment)
    LEFT JOIN LATERAL (
      SELECT count(*) AS entries,
        max(encode(hash, 'hex')) FILTER (WHERE wallet_sequence = a.chain_sequence) AS hash
      FROM (
        SELECT id, wallet_sequence, hash FROM journal_entries e
        WHERE e.merchant_id = a.merchant_id AND e.environment = a.environment
          AND e.wallet_sequence > b.chain_sequence AND e.wallet_sequence <= a.chain_sequence
        ORDER BY wallet_sequence OFFSET 0) e OFFSET 0) own ON true
    WHERE a.chain_sequence - b.chain_sequence <> own.entries
      OR encode(a.chain_hash, 'hex') IS DISTINCT FROM
        CASE own.entries WHEN 0 THEN encode(b.chain_hash, 'hex') ELSE own.hash END
  ) OR EXISTS (
    SELECT FROM (
      SELECT a.merchant_id, a.environment, own.account, own.amount
      FROM after a JOIN before b USING (merchant_id, environment)
      CROSS JOIN LATERAL (VALUES
        ('available:PIX', a.available_pix_cents - b.available_pix_cents),
        ('available:CARD', a.available_card_cents - b.available_card_cents),
        ('available:BOLETO', a.available_boleto_cents - b.available_boleto_cents),
        ('pending:PIX', a.pending_pix_cents - b.pending_pix_cents),
        ('pending:CARD', a.pending_card_cents - b.pending_card_cents),
        ('pending:BOLETO', a.pending_boleto_cents - b.pending_boleto_cents),
        ('reserved:PIX', a.reserved_pix_cents - b.reserved_pix_cents),
        ('reserved:CARD', a.reserved_card_cents - b.reserved_card_cents),
        ('reserved:BOLETO', a.reserved_boleto_cents - b.reserved_boleto_cents),
        ('blocked:PIX', a.blocked_pix_cents - b.blocked_pix_cents),
        ('blocked:CARD', a.blocked_card_cents - b.blocked_card_cents),
        ('blocked:BOLETO', a.blocked_boleto_cents - b.blocked_boleto_cents),
        ('dispute_debt', b.dispute_debt_cents - a.dispute_debt_cents)) AS own (account, amount)
      WHERE own.amount <> 0
      UNION ALL
      SELECT a.merchant_id, a.environment, l.account, -l.amount_cents
      FROM after a JOIN before b USING (merchant_id, environment)
      JOIN LATERAL (SELECT id FROM (
        SELECT id, wallet_sequence, hash FROM journal_entries e
        WHERE e.merchant_id = a.merchant_id AND e.environment = a.environment
          AND e.wallet_sequence > b.chain_sequence AND e.wallet_sequence <= a.chain_sequence
        ORDER BY wallet_sequence OFFSET 0) e OFFSET 0) e ON true
      JOIN LATERAL (SELECT account, amount_cents FROM journal_lines WHERE entry_id = e.id OFFSET 0) l ON true
      WHERE l.account = 'dispute_debt'
        OR split_part(l.account, ':', 1) IN ('available', 'pending', 'reserved', 'blocked')
    ) AS said GROUP BY merchant_id, environment, account HAVING sum(amount) <> 0
  ) THEN
    RAISE EXCEPTION 'a wallet changes only with its entries' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER wallets_booked AFTER UPDATE ON wallets
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbooked_wallets();

CREATE FUNCTION refuse_filled_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM opened WHERE chain_sequence <> 0 OR chain_hash IS NOT NULL OR changes <> 0
    OR dispute_debt_cents + collectable_debt_cents + total_earned_cents + total_withdrawn_cents
      + total_fees_paid_cents + available_pix_cents + available_card_cents + available_boleto_cents
      + pending_pix_cents + pending_card_cents + pending_boleto_cents
      + reserved_pix_cents + reserved_card_cents + reserved_boleto_cents
      + blocked_pix_cents + blocked_card_cents + blocked_boleto_cents <> 0)
  THEN
    RAISE EXCEPTION 'a wallet begins empty' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER wallets_begin_empty AFTER INSERT ON wallets
  REFERENCING NEW TABLE AS opened FOR EACH STATEMENT EXECUTE FUNCTION refuse_filled_wallets();

CREATE FUNCTION refuse_loss_of_wallets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a wallet is never deleted' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER wallets_stay BEFORE DELETE OR TRUNCATE ON wallets
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss_of_wallets();

-- Totals are in no line of an entry, so they change only together with an entry.
CREATE FUNCTION refuse_unbooked_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the totals of a wallet change only with its entries'
    USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER wallets_totals AFTER UPDATE ON wallets FOR EACH ROW
  WHEN (OLD.chain_sequence = NEW.chain_sequence AND
    (OLD.total_earned_cents, OLD.total_withdrawn_cents, OLD.total_fees_paid_cents,
      OLD.collectable_debt_cents)
    IS DISTINCT FROM
    (NEW.total_earned_cents, NEW.total_withdrawn_cents, NEW.total_fees_paid_cents,
      NEW.collectable_debt_cents))
  EXECUTE FUNCTION refuse_unbooked_totals();

-- The trigger watches only columns that no posting sets, so that postings do not pay for it.
CREATE FUNCTION refuse_other_receivables() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a receivable keeps its merchant, amount and day' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER receivables_kept
  BEFORE UPDATE OF charge_id, merchant_id, environment, payment_method, amount_cents, settles_at
  ON receivables
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_receivables();
CREATE TRIGGER receivables_stay BEFORE DELETE OR TRUNCATE ON receivables
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_receivables();
