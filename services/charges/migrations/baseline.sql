-- Charges of release 0.6.0. The tables that it shares with other services are in shared-tables.sql and
-- order-tables.sql.

CREATE TABLE charges (
  id               uuid PRIMARY KEY,
  merchant_id      uuid NOT NULL,
  environment      text NOT NULL,
  external_id      text NOT NULL,
  txid             text NOT NULL CONSTRAINT charges_txid UNIQUE,
  payment_method   text NOT NULL,
  amount_cents     bigint NOT NULL,
  fee_cents        bigint NOT NULL,
  net_cents        bigint NOT NULL,
  -- DECLINED is an attempt with a card that failed. Merchants never see one.
  status           text NOT NULL
    CHECK (status IN ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED', 'DECLINED')),
  -- Counts the events about this charge.
  sequence         integer NOT NULL DEFAULT 0,
  payer_name       text NOT NULL,
  payer_document   text NOT NULL,
  payer_email      text,
  description      text,
  qr_code          text,
  end_to_end_id    text,
  created_at       timestamptz NOT NULL,
  expires_at       timestamptz,
  paid_at          timestamptz,
  next_check_at    timestamptz NOT NULL,
  simulated_at     timestamptz,
  installments     integer,
  card_brand       text,
  card_last_digits text,
  -- The charge's id at the acquirer, known once it was approved.
  acquirer_id      text,
  decline_reason   text,
  -- True while a card payment that the caller did not ask for again is being returned.
  is_voiding       boolean NOT NULL DEFAULT false,
  settles_at       timestamptz,
  refunded_cents   bigint,
  refunded_at      timestamptz,
  refund_reason    text,
  checks           integer NOT NULL DEFAULT 0,
  -- True for an ended card attempt. Its payment may still appear at the acquirer and is then returned.
  is_watched       boolean NOT NULL DEFAULT false,
  -- SHA-256 of the card token, which identifies a repeated attempt. The token is stored nowhere.
  card_token_hash  bytea,
  -- The lease of the process that works on the charge. Its orders and records are fenced by it.
  lease_token      uuid,
  lease_until      timestamptz,
  metadata         jsonb NOT NULL DEFAULT '{}',
  -- True for a Pix charge whose registration failed: the provider may have it or not.
  is_unanswered    boolean NOT NULL DEFAULT false,
  payment_link_id  uuid,
  checkout_id      uuid,
  cancelled_at     timestamptz
-- The update that adds the QR code needs room on the page of its row.
) WITH (fillfactor = 70);
CREATE INDEX charges_due ON charges (environment, next_check_at) WHERE status = 'PENDING';
CREATE INDEX charges_watched ON charges (environment, next_check_at) WHERE is_watched;
-- Charges without an answer of the provider, few among all that wait for their payers.
CREATE INDEX charges_unknown ON charges (created_at)
  WHERE status = 'PENDING' AND (payment_method = 'CARD' OR is_unanswered);
-- Charges that expire when a merchant moves the clock of the sandbox.
CREATE INDEX charges_sandbox_pending ON charges (merchant_id, expires_at)
  WHERE environment = 'sandbox' AND status = 'PENDING';
-- An externalId has one charge, and is free again when the charge ends unpaid. Both indexes serve searches by
-- it.
CREATE UNIQUE INDEX charges_external_id_living
  ON charges (merchant_id, environment, right(external_id, 8), external_id)
  WHERE status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED');
CREATE INDEX charges_external_id_ended ON charges (merchant_id, environment, right(external_id, 8))
  WHERE status IN ('DECLINED', 'EXPIRED', 'CANCELLED');
-- An order with one token is one attempt, so that a repeated order finds its decline. Attempts that the
-- acquirer did not accept or never received are left out.
CREATE UNIQUE INDEX charges_card_attempt ON charges (merchant_id, environment, external_id, card_token_hash)
  WHERE card_token_hash IS NOT NULL
    AND coalesce(decline_reason, '') NOT IN ('invalid_card_token', 'not_processed');
-- A merchant's list, merged by status and method. Amounts and payers' names are compared without the rows; an
-- index-only scan needs the columns of the expressions too.
CREATE INDEX charges_listed ON charges
  (merchant_id, environment, payment_method, status, created_at DESC, id DESC, lower(payer_name))
  INCLUDE (amount_cents, payer_name);
-- Pages show the end of an id, because it begins with the time.
CREATE INDEX charges_id_tail ON charges (merchant_id, environment, right(id::text, 8));
CREATE INDEX charges_end_to_end_tail ON charges (merchant_id, environment, right(end_to_end_id, 8))
  WHERE end_to_end_id IS NOT NULL;
CREATE INDEX charges_payer_document ON charges (merchant_id, environment, payer_document);
CREATE INDEX charges_metadata ON charges USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}';
CREATE INDEX charges_payment_link ON charges (payment_link_id, created_at DESC, id DESC)
  WHERE payment_link_id IS NOT NULL;
-- Recent card payments and declines of a payment link.
CREATE INDEX charges_link_cards ON charges (payment_link_id, created_at)
  WHERE payment_link_id IS NOT NULL AND payment_method = 'CARD';
-- Notices of the acquirer name its own charge.
CREATE INDEX charges_acquirer ON charges (acquirer_id) WHERE acquirer_id IS NOT NULL;
-- Payments of a day, for reconciliation.
CREATE INDEX charges_paid_at ON charges (environment, paid_at) WHERE paid_at IS NOT NULL;

-- One function instead of many CHECKs, because PostgreSQL reads the tree of each CHECK again in every
-- statement. The CHECK of the statuses stays a constraint, because a test compares it with the state table.
-- A null result passes.
CREATE FUNCTION is_sound(charge charges) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN charge.environment IN ('production', 'sandbox')
    AND charge.txid ~ '^[a-zA-Z0-9]{26,35}$'
    AND charge.amount_cents >= 100 AND charge.fee_cents >= 0 AND charge.net_cents >= 0
    AND charge.net_cents = charge.amount_cents - charge.fee_cents
    AND (charge.status IN ('PAID', 'REFUNDED', 'DISPUTED')) = (charge.paid_at IS NOT NULL)
    AND CASE charge.payment_method
      WHEN 'PIX' THEN (charge.paid_at IS NOT NULL) = (charge.end_to_end_id IS NOT NULL)
        AND charge.expires_at IS NOT NULL AND charge.status <> 'DECLINED' AND charge.installments IS NULL
      WHEN 'CARD' THEN (charge.paid_at IS NULL OR charge.acquirer_id IS NOT NULL)
        AND charge.end_to_end_id IS NULL AND charge.installments IS NOT NULL
        AND charge.installments BETWEEN 1 AND 18 AND charge.status NOT IN ('EXPIRED', 'CANCELLED')
      ELSE false END
    AND (charge.refunded_cents IS NULL OR charge.refunded_cents BETWEEN 1 AND charge.amount_cents)
    AND (charge.status = 'REFUNDED') <= (charge.refunded_cents IS NOT NULL)
    AND charge.is_watched <= (charge.status = 'DECLINED');
END $$;
ALTER TABLE charges ADD CONSTRAINT charges_sound CHECK (is_sound(charges));

-- Payments that paid their charges.
CREATE TABLE payments (
  -- The payment's id at the central bank, so that a duplicate notice changes nothing.
  end_to_end_id text PRIMARY KEY CHECK (length(end_to_end_id) <= 64),
  charge_id     uuid NOT NULL REFERENCES charges (id),
  merchant_id   uuid NOT NULL,
  environment   text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  amount_cents  bigint NOT NULL CHECK (amount_cents > 0),
  paid_at       timestamptz NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX payments_charge ON payments (charge_id);

-- Unmatched payments, which go back to their payers.
CREATE TABLE unexpected_payments (
  id              uuid PRIMARY KEY,
  end_to_end_id   text NOT NULL CONSTRAINT unexpected_payments_number UNIQUE
                    CHECK (length(end_to_end_id) <= 64),
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  merchant_id     uuid,
  charge_id       uuid REFERENCES charges (id),
  txid            text,
  amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
  paid_at         timestamptz NOT NULL,
  cause           text NOT NULL CHECK (cause IN ('LATE', 'DUPLICATE', 'WRONG_AMOUNT', 'UNKNOWN_CHARGE')),
  status          text NOT NULL CHECK (status IN ('RETURNING', 'RETURNED', 'RETURN_REFUSED')),
  failure         text,
  attempts        integer NOT NULL DEFAULT 0,
  next_check_at   timestamptz NOT NULL,
  returned_at     timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- A refusal that follows an order without an answer is unconfirmed, because the order may still be carried
  -- out.
  doubted_at      timestamptz,
  lease_token     uuid,
  lease_until     timestamptz,
  -- The number of claims before the last change of the status.
  attempts_before integer NOT NULL DEFAULT 0,
  -- The return has ended and is still checked.
  is_watched      boolean NOT NULL DEFAULT false,
  ordered_at      timestamptz,
  accepted_at     timestamptz,
  ended_at        timestamptz,
  CHECK ((charge_id IS NULL) = (merchant_id IS NULL)),
  CHECK ((cause = 'UNKNOWN_CHARGE') = (charge_id IS NULL)),
  CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL)),
  CONSTRAINT unexpected_payments_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  CONSTRAINT unexpected_payments_watched CHECK (NOT is_watched OR status IN ('RETURNED', 'RETURN_REFUSED'))
);
CREATE INDEX unexpected_payments_open ON unexpected_payments (environment, next_check_at)
  WHERE status = 'RETURNING' OR is_watched;
CREATE INDEX unexpected_payments_charge ON unexpected_payments (charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX unexpected_payments_list ON unexpected_payments (created_at DESC, id DESC);
CREATE INDEX unexpected_payments_of_merchant
  ON unexpected_payments (merchant_id, environment, created_at DESC, id DESC)
  WHERE merchant_id IS NOT NULL;
CREATE INDEX unexpected_payments_paid_at ON unexpected_payments (environment, paid_at);

-- The ids of all payments, so that one that paid a charge cannot also be returned.
CREATE TABLE pix_numbers (end_to_end_id text PRIMARY KEY CHECK (length(end_to_end_id) <= 64));

-- The time up to which each list of a provider was read. `late_payments` reads the last two days again.
CREATE TABLE provider_cursors (
  environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  list        text NOT NULL CHECK (list IN ('payments', 'infractions', 'late_payments')),
  read_until  timestamptz NOT NULL,
  next_at     timestamptz NOT NULL,
  id          uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  attempts    integer NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  PRIMARY KEY (environment, list)
);

CREATE TABLE refunds (
  id              uuid PRIMARY KEY,
  charge_id       uuid NOT NULL REFERENCES charges (id),
  merchant_id     uuid NOT NULL,
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
  reason          text,
  status          text NOT NULL CHECK (status IN ('REQUESTED', 'DEBITED', 'ACCEPTED', 'DONE', 'REFUSED')),
  -- The reason of a refusal, for operators.
  failure         text,
  created_at      timestamptz NOT NULL,
  accepted_at     timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  next_check_at   timestamptz NOT NULL,
  -- A refusal that follows an order without an answer is unconfirmed, because the order may still be carried
  -- out.
  doubted_at      timestamptz,
  ended_at        timestamptz,
  lease_token     uuid,
  lease_until     timestamptz,
  -- The number of claims before the last change of the status.
  attempts_before integer NOT NULL DEFAULT 0,
  -- The refund has ended and is still checked.
  is_watched      boolean NOT NULL DEFAULT false,
  CHECK ((status IN ('ACCEPTED', 'DONE')) <= (accepted_at IS NOT NULL)),
  CONSTRAINT refunds_lease CHECK ((lease_token IS NULL) = (lease_until IS NULL)),
  CONSTRAINT refunds_watched CHECK (NOT is_watched OR status IN ('DONE', 'REFUSED'))
);
-- A charge is refunded once; a refusal leaves it free for another try.
CREATE UNIQUE INDEX refunds_charge ON refunds (charge_id) WHERE status <> 'REFUSED';
CREATE INDEX refunds_open ON refunds (environment, next_check_at)
  WHERE status IN ('REQUESTED', 'DEBITED', 'ACCEPTED') OR is_watched;
CREATE INDEX refunds_list ON refunds (created_at DESC, id DESC);
CREATE INDEX refunds_of_merchant ON refunds (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX refunds_of_charge ON refunds (charge_id, created_at);
-- Refunds of a day, for reconciliation.
CREATE INDEX refunds_accepted_at ON refunds (environment, accepted_at) WHERE accepted_at IS NOT NULL;

CREATE TABLE disputes (
  id                   uuid PRIMARY KEY,
  charge_id            uuid NOT NULL REFERENCES charges (id),
  merchant_id          uuid NOT NULL,
  environment          text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  amount_cents         bigint NOT NULL CHECK (amount_cents > 0),
  reason               text NOT NULL,
  description          text NOT NULL,
  status               text NOT NULL CHECK (status IN ('OPEN', 'UNDER_REVIEW', 'RESOLVED_MERCHANT',
                         'RESOLVED_CUSTOMER', 'CANCELLED')),
  deadline             timestamptz NOT NULL,
  -- The provider's id, so that a duplicate notice opens one dispute.
  provider_reference   text CONSTRAINT disputes_provider_reference UNIQUE,
  evidence_description text,
  evidence_documents   text[],
  evidence_sent_at     timestamptz,
  -- The time when the evidence is sent to the provider; null: it was sent, or the provider accepts none.
  forward_at           timestamptz,
  attempts             integer NOT NULL DEFAULT 0,
  sequence             integer NOT NULL DEFAULT 1,
  created_at           timestamptz NOT NULL,
  resolved_at          timestamptz,
  resolution           text,
  forward_token        uuid,
  forward_until        timestamptz,
  CHECK ((status IN ('OPEN', 'UNDER_REVIEW')) = (resolved_at IS NULL)),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL)),
  CHECK ((evidence_sent_at IS NULL) = (evidence_description IS NULL))
);
-- A charge has one undecided dispute at a time.
CREATE UNIQUE INDEX disputes_undecided ON disputes (charge_id) WHERE status IN ('OPEN', 'UNDER_REVIEW');
CREATE INDEX disputes_of_charge ON disputes (charge_id, created_at);
CREATE INDEX disputes_list ON disputes (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX disputes_all ON disputes (created_at DESC, id DESC);
CREATE INDEX disputes_forward ON disputes (environment, forward_at) WHERE forward_at IS NOT NULL;

-- Files of the evidence, stored as long as their dispute.
CREATE TABLE dispute_files (
  id             uuid PRIMARY KEY,
  dispute_id     uuid NOT NULL REFERENCES disputes (id),
  name           text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  type           text NOT NULL CHECK (type IN ('application/pdf', 'image/png', 'image/jpeg')),
  size_bytes     integer NOT NULL CHECK (size_bytes BETWEEN 1 AND 2097152),
  sealing_key_id text NOT NULL,
  -- Nonce, tag and ciphertext.
  sealed         bytea NOT NULL,
  created_at     timestamptz NOT NULL
);
-- Ciphertext does not compress.
ALTER TABLE dispute_files ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX dispute_files_of_dispute ON dispute_files (dispute_id, id);
CREATE INDEX dispute_files_sealing_key ON dispute_files (sealing_key_id, id);

-- The order in which keys became the newest, by which replicas with different orders agree.
CREATE TABLE sealing_keys (
  id       text PRIMARY KEY,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY
);

-- Notices of providers that contradict the record. They change nothing until an operator decides.
CREATE TABLE alarms (
  id                 uuid PRIMARY KEY,
  subject            text NOT NULL CHECK (subject IN ('refund', 'return', 'card', 'payment')),
  subject_id         uuid NOT NULL,
  charge_id          uuid REFERENCES charges (id),
  merchant_id        uuid,
  environment        text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  kind               text NOT NULL CHECK (kind IN ('DONE_AFTER_FAILED', 'FAILED_AFTER_DONE', 'DONE_TWICE',
                       'ANOTHER_AMOUNT', 'RETURNED', 'UNBACKED', 'UNRECORDED', 'AMOUNTS_DIFFER')),
  amount_cents       bigint NOT NULL CHECK (amount_cents > 0),
  created_at         timestamptz NOT NULL,
  settled_at         timestamptz,
  settled_by         uuid,
  note               text,
  provider_reference text,
  CHECK (num_nulls(settled_at, settled_by, note) IN (0, 3)),
  -- A repeated notice raises no second alarm.
  UNIQUE (subject_id, kind)
);
CREATE INDEX alarms_newest ON alarms (created_at DESC, id DESC);

-- The UTC day until which payments were compared with the provider; a row for each environment.
CREATE TABLE reconciliations (
  id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  environment text NOT NULL UNIQUE CHECK (environment IN ('production', 'sandbox')),
  next_day    date NOT NULL,
  -- The differences of the last comparison of the day. A difference that is found twice raises an alarm.
  seen        text[] NOT NULL DEFAULT '{}',
  looks       integer NOT NULL DEFAULT 0,
  next_at     timestamptz NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz
);
-- The first day is the day of the installation, compared when it has ended.
INSERT INTO reconciliations (environment, next_day, next_at)
SELECT environment, today, (today + 1)::timestamp AT TIME ZONE 'UTC'
FROM unnest(ARRAY['production', 'sandbox']) AS environment,
  (SELECT (now() AT TIME ZONE 'UTC')::date) AS utc (today);

CREATE TABLE payment_links (
  id                 uuid PRIMARY KEY,
  merchant_id        uuid NOT NULL,
  environment        text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  slug               text NOT NULL CONSTRAINT payment_links_slug UNIQUE CHECK (slug ~ '^[A-Za-z0-9_-]{16}$'),
  is_active          boolean NOT NULL DEFAULT true,
  description        text NOT NULL,
  -- Null: the buyer chooses an amount between the other two.
  amount_cents       bigint CHECK (amount_cents >= 100),
  min_cents          bigint CHECK (min_cents >= 100),
  max_cents          bigint CHECK (max_cents >= 100),
  methods            text[] NOT NULL CHECK (methods <@ ARRAY['PIX', 'CARD'] AND cardinality(methods) > 0),
  -- The number of times the link can be paid; null: no limit. `taken` counts paid and reserved uses.
  uses               integer CHECK (uses > 0),
  taken              integer NOT NULL DEFAULT 0,
  paid               integer NOT NULL DEFAULT 0,
  expires_at         timestamptz,
  return_url         text,
  external_id        text,
  external_id_prefix text,
  payer_name         text,
  payer_document     text,
  pix_expires_in     integer NOT NULL CHECK (pix_expires_in > 0),
  color              text,
  logo               text CHECK (length(logo) <= 87500),
  created_at         timestamptz NOT NULL,
  CHECK (amount_cents IS NULL OR (min_cents IS NULL AND max_cents IS NULL)),
  CHECK (min_cents <= max_cents),
  CHECK (external_id IS NULL OR uses = 1),
  CHECK ((payer_name IS NULL) = (payer_document IS NULL)),
  CHECK (paid BETWEEN 0 AND taken AND (uses IS NULL OR taken <= uses))
);
CREATE INDEX payment_links_list ON payment_links (merchant_id, environment, created_at DESC, id DESC);

-- Visits to a link's page and started checkouts, in slots, so that buyers do not wait for each other.
CREATE TABLE payment_link_counts (
  link_id uuid NOT NULL REFERENCES payment_links,
  slot    smallint NOT NULL CHECK (slot BETWEEN 0 AND 7),
  visits  integer NOT NULL DEFAULT 0,
  starts  integer NOT NULL DEFAULT 0,
  PRIMARY KEY (link_id, slot)
);

-- A buyer's visit to a payment link. It has at most one pending charge, under the checkout's externalId.
CREATE TABLE checkouts (
  id              uuid PRIMARY KEY,
  link_id         uuid NOT NULL REFERENCES payment_links,
  environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
  external_id     text NOT NULL CHECK (length(external_id) <= 64),
  payer_name      text NOT NULL,
  payer_document  text NOT NULL,
  amount_cents    bigint NOT NULL CHECK (amount_cents >= 100),
  -- A use of the link. A pending charge reserves it (HELD), or a card form until card_form_until.
  use             text NOT NULL DEFAULT 'NONE' CHECK (use IN ('NONE', 'HELD', 'USED')),
  card_form_until timestamptz,
  held_since      timestamptz,
  -- The latest charge, and whether it is PENDING.
  charge_id       uuid REFERENCES charges,
  is_living       boolean NOT NULL DEFAULT false,
  declines        integer NOT NULL DEFAULT 0,
  due_at          timestamptz,
  looks           integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL,
  CHECK (is_living <= (use = 'HELD' AND charge_id IS NOT NULL))
);
-- Finds the visit of a buyer who returns with the same document.
CREATE INDEX checkouts_link ON checkouts (link_id) WHERE use <> 'NONE';
CREATE INDEX checkouts_due ON checkouts (environment, due_at) WHERE use = 'HELD' AND NOT is_living;
-- Visits without any payment, oldest first, to delete.
CREATE INDEX checkouts_untouched ON checkouts (created_at) WHERE charge_id IS NULL AND use = 'NONE';

-- A separate table, because every charge reads `merchants`.
CREATE TABLE merchant_logos (
  merchant_id uuid PRIMARY KEY,
  -- A data URI.
  logo        text NOT NULL CHECK (length(logo) <= 87500)
);

-- A use follows the charge that reserves it, in the transaction that ends the charge. All code locks in this
-- order: charge, checkout, link.
CREATE FUNCTION follow_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  followed checkouts;
  was_declined boolean := NEW.status = 'DECLINED'
    AND coalesce(NEW.decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided');
BEGIN
  UPDATE checkouts SET
    is_living = false, declines = declines + was_declined::integer, due_at = card_form_until,
    use = CASE WHEN NEW.status = 'PAID' THEN 'USED' WHEN card_form_until > now() THEN 'HELD' ELSE 'NONE' END
  WHERE id = NEW.checkout_id AND charge_id = NEW.id AND is_living
  RETURNING * INTO followed;
  IF followed.use = 'USED' THEN
    UPDATE payment_links SET paid = paid + 1 WHERE id = followed.link_id;
  ELSIF followed.use = 'NONE' THEN
    UPDATE payment_links SET taken = taken - 1 WHERE id = followed.link_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charges_follow_checkout AFTER UPDATE OF status ON charges FOR EACH ROW
  WHEN (OLD.status = 'PENDING' AND NEW.status <> 'PENDING' AND NEW.checkout_id IS NOT NULL)
  EXECUTE FUNCTION follow_checkout();

-- Counters: the number of charges of a UTC day, and their totals of each hour. Triggers append to
-- `…_changes`, which has no index, so that writers do not contend for a row. startFolding moves the changes
-- to `…_folded`.
CREATE TABLE charge_counts_folded (
  merchant_id    uuid NOT NULL,
  environment    text NOT NULL,
  day            date NOT NULL,
  payment_method text NOT NULL,
  status         text NOT NULL,
  slot           smallint NOT NULL,
  counted        bigint NOT NULL,
  CONSTRAINT charge_counts_pkey PRIMARY KEY (merchant_id, environment, day, payment_method, status, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE TABLE charge_counts_changes (
  merchant_id    uuid NOT NULL,
  environment    text NOT NULL,
  day            date NOT NULL,
  payment_method text NOT NULL,
  status         text NOT NULL,
  counted        bigint NOT NULL
) WITH (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
CREATE VIEW charge_counts AS
  SELECT merchant_id, environment, day, payment_method, status, counted FROM charge_counts_folded
  UNION ALL
  SELECT merchant_id, environment, day, payment_method, status, counted FROM charge_counts_changes;

-- A payment counts in the hour of the payment, a declined card attempt in the hour of its start.
CREATE TABLE charge_volumes_folded (
  merchant_id    uuid NOT NULL,
  environment    text NOT NULL,
  hour           timestamptz NOT NULL,
  payment_method text NOT NULL,
  slot           smallint NOT NULL,
  paid           bigint NOT NULL,
  declined       bigint NOT NULL,
  gross_cents    bigint NOT NULL,
  fee_cents      bigint NOT NULL,
  refunded_cents bigint NOT NULL,
  disputed_cents bigint NOT NULL,
  CONSTRAINT charge_volumes_pkey PRIMARY KEY (merchant_id, environment, hour, payment_method, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE TABLE charge_volumes_changes (
  merchant_id    uuid NOT NULL,
  environment    text NOT NULL,
  hour           timestamptz NOT NULL,
  payment_method text NOT NULL,
  paid           bigint NOT NULL,
  declined       bigint NOT NULL,
  gross_cents    bigint NOT NULL,
  fee_cents      bigint NOT NULL,
  refunded_cents bigint NOT NULL,
  disputed_cents bigint NOT NULL
) WITH (
  autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0);
CREATE VIEW charge_volumes AS
  SELECT merchant_id, environment, hour, payment_method,
    paid, declined, gross_cents, fee_cents, refunded_cents, disputed_cents FROM charge_volumes_folded
  UNION ALL
  SELECT merchant_id, environment, hour, payment_method,
    paid, declined, gross_cents, fee_cents, refunded_cents, disputed_cents FROM charge_volumes_changes;

-- UPDATE OF names the columns and the function compares them, because PostgreSQL reads the tree of a WHEN
-- again in every statement.
CREATE FUNCTION charge_counts_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.merchant_id, OLD.environment, OLD.created_at, OLD.payment_method, OLD.status)
    IS NOT DISTINCT FROM (NEW.merchant_id, NEW.environment, NEW.created_at, NEW.payment_method, NEW.status)
  THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO charge_counts_changes (merchant_id, environment, day, payment_method, status, counted)
    VALUES (OLD.merchant_id, OLD.environment, (OLD.created_at AT TIME ZONE 'UTC')::date,
      OLD.payment_method, OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO charge_counts_changes (merchant_id, environment, day, payment_method, status, counted)
    VALUES (NEW.merchant_id, NEW.environment, (NEW.created_at AT TIME ZONE 'UTC')::date,
      NEW.payment_method, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_counts_append_insert AFTER INSERT ON charges
  FOR EACH ROW EXECUTE FUNCTION charge_counts_append();
CREATE TRIGGER charge_counts_append_update
  AFTER UPDATE OF merchant_id, environment, created_at, payment_method, status ON charges
  FOR EACH ROW EXECUTE FUNCTION charge_counts_append();
CREATE TRIGGER charge_counts_append_delete AFTER DELETE ON charges
  FOR EACH ROW EXECUTE FUNCTION charge_counts_append();

CREATE FUNCTION charge_volumes_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND
    (OLD.merchant_id, OLD.environment, OLD.payment_method, OLD.paid_at, OLD.created_at, OLD.status,
      OLD.amount_cents, OLD.fee_cents, OLD.refunded_cents)
    IS NOT DISTINCT FROM
    (NEW.merchant_id, NEW.environment, NEW.payment_method, NEW.paid_at, NEW.created_at, NEW.status,
      NEW.amount_cents, NEW.fee_cents, NEW.refunded_cents)
  THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' AND (OLD.paid_at IS NOT NULL OR OLD.status = 'DECLINED') THEN
    INSERT INTO charge_volumes_changes (merchant_id, environment, hour, payment_method,
      paid, declined, gross_cents, fee_cents, refunded_cents, disputed_cents)
    VALUES (OLD.merchant_id, OLD.environment,
      date_trunc('hour', coalesce(OLD.paid_at, OLD.created_at), 'UTC'), OLD.payment_method,
      - (CASE WHEN OLD.paid_at IS NULL THEN 0 ELSE 1 END),
      - (CASE WHEN OLD.paid_at IS NULL THEN 1 ELSE 0 END),
      - (CASE WHEN OLD.paid_at IS NULL THEN 0 ELSE OLD.amount_cents END),
      - (CASE WHEN OLD.paid_at IS NULL THEN 0 ELSE OLD.fee_cents END),
      - (coalesce(OLD.refunded_cents, 0)),
      - (CASE WHEN OLD.status = 'DISPUTED'
        THEN OLD.amount_cents - coalesce(OLD.refunded_cents, 0) ELSE 0 END));
  END IF;
  IF TG_OP <> 'DELETE' AND (NEW.paid_at IS NOT NULL OR NEW.status = 'DECLINED') THEN
    INSERT INTO charge_volumes_changes (merchant_id, environment, hour, payment_method,
      paid, declined, gross_cents, fee_cents, refunded_cents, disputed_cents)
    VALUES (NEW.merchant_id, NEW.environment,
      date_trunc('hour', coalesce(NEW.paid_at, NEW.created_at), 'UTC'), NEW.payment_method,
      CASE WHEN NEW.paid_at IS NULL THEN 0 ELSE 1 END,
      CASE WHEN NEW.paid_at IS NULL THEN 1 ELSE 0 END,
      CASE WHEN NEW.paid_at IS NULL THEN 0 ELSE NEW.amount_cents END,
      CASE WHEN NEW.paid_at IS NULL THEN 0 ELSE NEW.fee_cents END,
      coalesce(NEW.refunded_cents, 0),
      CASE WHEN NEW.status = 'DISPUTED'
        THEN NEW.amount_cents - coalesce(NEW.refunded_cents, 0) ELSE 0 END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_volumes_append_insert AFTER INSERT ON charges
  FOR EACH ROW WHEN (NEW.paid_at IS NOT NULL OR NEW.status = 'DECLINED')
  EXECUTE FUNCTION charge_volumes_append();
CREATE TRIGGER charge_volumes_append_update AFTER UPDATE OF merchant_id, environment, payment_method, paid_at,
    created_at, status, amount_cents, fee_cents, refunded_cents ON charges
  FOR EACH ROW EXECUTE FUNCTION charge_volumes_append();
CREATE TRIGGER charge_volumes_append_delete AFTER DELETE ON charges
  FOR EACH ROW WHEN (OLD.paid_at IS NOT NULL OR OLD.status = 'DECLINED')
  EXECUTE FUNCTION charge_volumes_append();
