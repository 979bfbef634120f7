-- Withdrawals of release 0.6.0. The tables that it shares with other services are in shared-tables.sql and
-- order-tables.sql.

CREATE TABLE destinations (
  id              uuid PRIMARY KEY,
  merchant_id     uuid NOT NULL,
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  type            text NOT NULL CHECK (type IN ('PIX', 'BANK_ACCOUNT')),
  pix_key_type    text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP')),
  pix_key         text,
  bank_code       text,
  branch          text,
  account         text,
  account_type    text CHECK (account_type IN ('CHECKING', 'SAVINGS')),
  holder_name     text,
  holder_document text,
  label           text,
  created_at      timestamptz NOT NULL,
  -- Withdrawals still refer to a deleted destination.
  deleted_at      timestamptz,
  CHECK (num_nonnulls(pix_key_type, pix_key) = CASE type WHEN 'PIX' THEN 2 ELSE 0 END),
  CHECK (num_nonnulls(bank_code, branch, account, account_type, holder_name, holder_document)
    = CASE type WHEN 'PIX' THEN 0 ELSE 6 END)
);
-- A merchant stores each Pix key and each account once.
CREATE UNIQUE INDEX destinations_once ON destinations (merchant_id, environment, type, pix_key_type, pix_key,
  bank_code, branch, account, account_type, holder_name, holder_document)
  NULLS NOT DISTINCT WHERE deleted_at IS NULL;
CREATE INDEX destinations_list ON destinations (merchant_id, environment, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;

CREATE TABLE withdrawals (
  id               uuid PRIMARY KEY,
  merchant_id      uuid NOT NULL,
  environment      text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  external_id      text,
  amount_cents     bigint NOT NULL CHECK (amount_cents >= 100),
  fee_cents        bigint NOT NULL CHECK (fee_cents >= 0),
  net_cents        bigint NOT NULL CHECK (net_cents > 0),
  status           text NOT NULL CHECK (status IN ('DEBITING', 'REFUSED', 'ABANDONED', 'PENDING', 'APPROVED',
                     'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED')),
  method           text NOT NULL CHECK (method IN ('PIX', 'TED')),
  pix_key          text,
  pix_key_type     text CHECK (pix_key_type IN ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP')),
  bank_account     jsonb,
  destination_id   uuid REFERENCES destinations (id),
  source           text NOT NULL CHECK (source IN ('MANUAL', 'QR_CODE')),
  can_be_asked_for boolean NOT NULL,
  created_at       timestamptz NOT NULL,
  approvals_needed smallint NOT NULL CHECK (approvals_needed BETWEEN 0 AND 2),
  first_approver   uuid,
  second_approver  uuid,
  payable_from     timestamptz,
  started_at       timestamptz,
  -- Our key at the provider that received the order, and the time when the provider was first known to have
  -- it.
  ordered_from     text,
  accepted_at      timestamptz,
  doubt_reason     text,
  doubted_at       timestamptz,
  provider_tx_id   text,
  failure_reason   text,
  rejected_reason  text,
  ended_at         timestamptz,
  sequence         integer NOT NULL DEFAULT 0,
  checks           integer NOT NULL DEFAULT 0,
  next_check_at    timestamptz,
  -- A notice moves next_check_at and shortens no lease.
  lease_token      uuid,
  lease_until      timestamptz,
  -- The fee is a part of the amount, or comes on top of it.
  CHECK (net_cents IN (amount_cents, amount_cents - fee_cents)),
  CHECK ((method = 'PIX') = (pix_key IS NOT NULL) AND (pix_key IS NULL) = (pix_key_type IS NULL)),
  CHECK ((method = 'TED') = (bank_account IS NOT NULL)),
  CONSTRAINT withdrawals_four_eyes CHECK (second_approver IS NULL OR second_approver <> first_approver),
  CONSTRAINT withdrawals_approved CHECK (
    status IN ('DEBITING', 'REFUSED', 'ABANDONED', 'PENDING', 'REJECTED')
    OR approvals_needed = 0
    OR approvals_needed = 1 AND first_approver IS NOT NULL
    OR first_approver IS NOT NULL AND second_approver IS NOT NULL),
  CHECK (status NOT IN ('PROCESSING', 'COMPLETED', 'FAILED') OR started_at IS NOT NULL),
  CHECK ((status IN ('COMPLETED', 'FAILED', 'REJECTED', 'ABANDONED', 'REFUSED')) = (ended_at IS NOT NULL)),
  CHECK (status <> 'COMPLETED' OR provider_tx_id IS NOT NULL),
  CHECK ((status = 'FAILED') = (failure_reason IS NOT NULL)),
  CHECK ((status = 'REJECTED') = (rejected_reason IS NOT NULL)),
  CHECK ((doubt_reason IS NULL) = (doubted_at IS NULL)),
  CHECK ((lease_token IS NULL) = (lease_until IS NULL))
) WITH (fillfactor = 70);
-- An externalId has one withdrawal. One that ended before the merchant saw it frees the externalId.
CREATE UNIQUE INDEX withdrawals_external_id ON withdrawals (merchant_id, environment, external_id)
  WHERE status NOT IN ('REFUSED', 'ABANDONED');
CREATE INDEX withdrawals_due ON withdrawals (environment, next_check_at) WHERE next_check_at IS NOT NULL;
-- Withdrawals that wait for operators or for a provider.
CREATE INDEX withdrawals_open ON withdrawals (status, created_at DESC, id DESC)
  WHERE status IN ('PENDING', 'APPROVED', 'PROCESSING');
-- A merchant's withdrawals of a day.
CREATE INDEX withdrawals_list ON withdrawals (merchant_id, environment, created_at DESC, id DESC);
-- A merchant's list, merged by status and method.
CREATE INDEX withdrawals_by_status ON withdrawals
  (merchant_id, environment, method, status, created_at DESC, id DESC);
-- The operators' list.
CREATE INDEX withdrawals_newest ON withdrawals (created_at DESC, id DESC);
-- A merchant's first withdrawal to a Pix key.
CREATE INDEX withdrawals_payee ON withdrawals (merchant_id, environment, pix_key, created_at);
-- Pages show the end of an id, because it begins with the time. Whole ids are found by their ends too.
CREATE INDEX withdrawals_id_tail ON withdrawals (merchant_id, environment, right(id::text, 8));
CREATE INDEX withdrawals_external_id_tail ON withdrawals (merchant_id, environment, right(external_id, 8))
  WHERE external_id IS NOT NULL;
CREATE INDEX withdrawals_provider_tx_tail ON withdrawals (merchant_id, environment, right(provider_tx_id, 8))
  WHERE provider_tx_id IS NOT NULL;

-- Notices of providers, and findings about the books, that contradict a payout. They change nothing until an
-- operator decides.
CREATE TABLE payout_alarms (
  id             uuid PRIMARY KEY,
  withdrawal_id  uuid NOT NULL REFERENCES withdrawals (id),
  merchant_id    uuid NOT NULL,
  environment    text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  recorded       text NOT NULL
    CONSTRAINT payout_alarms_recorded CHECK (recorded IN ('APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED')),
  told           text NOT NULL,
  provider_tx_id text,
  created_at     timestamptz NOT NULL,
  settled_at     timestamptz,
  settled_by     uuid,
  note           text,
  -- The amount that the provider says it paid, if it names one.
  amount_cents   bigint CHECK (amount_cents >= 0),
  -- The place where the comparison of the books continues after the alarm has ended.
  offer          jsonb,
  -- The first of two operators who accept the books; null as well where one operator decided alone.
  proposed_by    uuid,
  proposed_at    timestamptz,
  -- A repeated notice raises no second alarm.
  UNIQUE (withdrawal_id, told),
  CONSTRAINT payout_alarms_told CHECK (told <> recorded AND told IN ('COMPLETED', 'FAILED', 'RETURNED',
    'DONE_TWICE', 'ANOTHER_AMOUNT', 'UNPROVEN_CREDIT', 'WALLET_CHANGED', 'CHAIN_REWRITTEN', 'BOOKS_BEHIND',
    'NO_DEBIT')),
  -- The comparison of the books itself ends the alarm of a missing debit that it finds; an operator ends all
  -- others.
  CONSTRAINT payout_alarms_settled CHECK (
    num_nulls(settled_at, note) IN (0, 2)
    AND (settled_by IS NULL OR settled_at IS NOT NULL)
    AND (settled_by IS NOT NULL OR settled_at IS NULL OR told = 'NO_DEBIT')),
  CONSTRAINT payout_alarms_proposed CHECK (num_nulls(proposed_by, proposed_at) IN (0, 2)),
  CONSTRAINT payout_alarms_two_people CHECK (settled_by <> proposed_by)
);
CREATE INDEX payout_alarms_newest ON payout_alarms (created_at DESC, id DESC);

-- The last compared entry in the ledger's chain of a wallet, and the balances after it.
CREATE TABLE wallet_proofs (
  merchant_id uuid NOT NULL,
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  sequence    bigint NOT NULL CHECK (sequence >= 0),
  hash        text,
  balances    jsonb NOT NULL,
  compared_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, environment)
);

-- Payouts that wait for the comparison of their books.
CREATE TABLE unproven_payouts (
  withdrawal_id uuid PRIMARY KEY REFERENCES withdrawals (id),
  reason        text NOT NULL CHECK (reason IN ('doubt', 'no_answer')),
  since         timestamptz NOT NULL DEFAULT now()
);

-- The number of withdrawals of a UTC day. Triggers append to `…_changes`, which has no index, so that
-- writers do not contend for a row. startFolding moves the changes to `…_folded`.
CREATE TABLE withdrawal_counts_folded (
  merchant_id uuid NOT NULL,
  environment text NOT NULL,
  day         date NOT NULL,
  method      text NOT NULL,
  status      text NOT NULL,
  slot        smallint NOT NULL,
  counted     bigint NOT NULL,
  CONSTRAINT withdrawal_counts_pkey PRIMARY KEY (merchant_id, environment, day, method, status, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE TABLE withdrawal_counts_changes (
  merchant_id uuid NOT NULL,
  environment text NOT NULL,
  day         date NOT NULL,
  method      text NOT NULL,
  status      text NOT NULL,
  counted     bigint NOT NULL
) WITH (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
CREATE VIEW withdrawal_counts AS
  SELECT merchant_id, environment, day, method, status, counted FROM withdrawal_counts_folded
  UNION ALL
  SELECT merchant_id, environment, day, method, status, counted FROM withdrawal_counts_changes;

-- UPDATE OF names the columns and the function compares them, because PostgreSQL reads the tree of a WHEN
-- again in every statement.
CREATE FUNCTION withdrawal_counts_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.merchant_id, OLD.environment, OLD.created_at, OLD.method, OLD.status)
    IS NOT DISTINCT FROM (NEW.merchant_id, NEW.environment, NEW.created_at, NEW.method, NEW.status)
  THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO withdrawal_counts_changes (merchant_id, environment, day, method, status, counted)
    VALUES (OLD.merchant_id, OLD.environment, (OLD.created_at AT TIME ZONE 'UTC')::date,
      OLD.method, OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO withdrawal_counts_changes (merchant_id, environment, day, method, status, counted)
    VALUES (NEW.merchant_id, NEW.environment, (NEW.created_at AT TIME ZONE 'UTC')::date,
      NEW.method, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_counts_append_insert AFTER INSERT ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION withdrawal_counts_append();
CREATE TRIGGER withdrawal_counts_append_update
  AFTER UPDATE OF merchant_id, environment, created_at, method, status ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION withdrawal_counts_append();
CREATE TRIGGER withdrawal_counts_append_delete AFTER DELETE ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION withdrawal_counts_append();
