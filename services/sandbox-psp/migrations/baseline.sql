-- The sandbox bank of release 0.6.0.

CREATE TABLE charges (
  client_id          text NOT NULL,
  txid               text NOT NULL CHECK (txid ~ '^[a-zA-Z0-9]{26,35}$'),
  status             text NOT NULL DEFAULT 'ATIVA'
                       CHECK (status IN ('ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR')),
  revision           integer NOT NULL DEFAULT 0 CHECK (revision >= 0),
  amount_cents       bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
  pix_key            text NOT NULL,
  debtor_document    text CHECK (debtor_document ~ '^([0-9]{11}|[0-9A-Z]{14})$'),
  debtor_name        text,
  payer_request      text,
  expires_in_seconds integer NOT NULL CHECK (expires_in_seconds > 0),
  created_at         timestamptz(3) NOT NULL,
  location_id        bigint GENERATED ALWAYS AS IDENTITY,
  -- Part of the QR code; its bearer may read the charge.
  location_token     text NOT NULL CONSTRAINT charges_location UNIQUE,
  refuses_refunds    boolean NOT NULL DEFAULT false,
  CHECK ((debtor_document IS NULL) = (debtor_name IS NULL)),
  -- The txid is first, because the payer's bank sends only the txid.
  PRIMARY KEY (txid, client_id)
) WITH (fillfactor = 80);

CREATE TABLE payments (
  end_to_end_id text PRIMARY KEY CHECK (end_to_end_id ~ '^E[0-9]{20}[a-zA-Z0-9]{11}$'),
  position      bigint GENERATED ALWAYS AS IDENTITY,
  client_id     text NOT NULL,
  -- As the payer wrote it.
  txid          text CHECK (txid ~ '^[a-zA-Z0-9]{1,35}$'),
  pix_key       text NOT NULL,
  amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
  paid_at       timestamptz(3) NOT NULL,
  -- The paid charge; null: the payment matches no charge.
  charge_txid   text,
  -- The payer's order, which the payer may repeat.
  order_id      uuid,
  CHECK (charge_txid = txid),
  CHECK (charge_txid IS NULL OR txid IS NOT NULL),
  FOREIGN KEY (charge_txid, client_id) REFERENCES charges (txid, client_id)
);
CREATE INDEX payments_charge ON payments (txid, client_id);
CREATE INDEX payments_statement ON payments (client_id, paid_at, position);
CREATE INDEX payments_order ON payments (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE refunds (
  end_to_end_id text NOT NULL REFERENCES payments (end_to_end_id),
  refund_id     text NOT NULL CHECK (refund_id ~ '^[a-zA-Z0-9]{1,35}$'),
  position      bigint GENERATED ALWAYS AS IDENTITY,
  return_id     text NOT NULL UNIQUE CHECK (return_id ~ '^D[0-9]{20}[a-zA-Z0-9]{11}$'),
  amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
  description   text,
  status        text NOT NULL DEFAULT 'EM_PROCESSAMENTO'
                  CHECK (status IN ('EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO')),
  -- The end is decided when the refund is requested.
  is_refused    boolean NOT NULL,
  requested_at  timestamptz(3) NOT NULL,
  due_at        timestamptz NOT NULL,
  ended_at      timestamptz(3),
  CHECK ((status = 'EM_PROCESSAMENTO') = (ended_at IS NULL)),
  CHECK (status <> 'DEVOLVIDO' OR NOT is_refused),
  PRIMARY KEY (end_to_end_id, refund_id)
) WITH (fillfactor = 80);
CREATE INDEX refunds_due ON refunds (due_at) WHERE status = 'EM_PROCESSAMENTO';

CREATE TABLE callbacks (
  subject     text NOT NULL,
  state       text NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DELIVERED', 'ABANDONED')),
  attempts    integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at      timestamptz NOT NULL DEFAULT now(),
  lease_token uuid,
  kind        text NOT NULL CHECK (kind IN ('PAYMENT', 'REFUND', 'INFRACTION', 'PAYOUT', 'CARD')),
  client_id   text NOT NULL,
  -- Rendered when the subject changed, so that later changes do not alter it.
  body        text NOT NULL,
  id          uuid DEFAULT gen_random_uuid(),
  lease_until timestamptz,
  CHECK (state = 'PENDING' OR lease_token IS NULL),
  PRIMARY KEY (kind, subject)
) WITH (fillfactor = 70);
CREATE INDEX callbacks_due ON callbacks (due_at) WHERE state = 'PENDING';
CREATE UNIQUE INDEX callbacks_id ON callbacks (id) WHERE state = 'PENDING';

CREATE TABLE signing_key (
  is_the_one  boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
  private_jwk jsonb NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE faults (
  position  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operation text NOT NULL CHECK (operation IN ('pix.create', 'pix.read', 'pix.refund', 'card.charge',
              'card.refund', 'payout.create', 'payout.read')),
  fault     text NOT NULL CHECK (fault IN ('timeout', 'reset', 'error500', 'garbage', 'done_then_500',
              'refused')),
  times     integer NOT NULL CHECK (times BETWEEN 1 AND 1000),
  remaining integer NOT NULL CHECK (remaining BETWEEN 0 AND times)
);
CREATE INDEX faults_next ON faults (operation, position) WHERE remaining > 0;

-- The parts of a card that receipts print, and how its payment ends.
CREATE TABLE card_tokens (
  token_id   text PRIMARY KEY,
  client_id  text NOT NULL,
  card_id    text NOT NULL,
  brand      text NOT NULL,
  first_six  text NOT NULL CHECK (first_six ~ '^[0-9]{6}$'),
  last_four  text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
  outcome    text NOT NULL CHECK (outcome IN ('APPROVED', 'INSUFFICIENT_FUNDS', 'EXPIRED_CARD',
               'SUSPECTED_FRAUD', 'LATE_APPROVED', 'LATE_DECLINED')),
  created_at timestamptz(3) NOT NULL,
  ends_at    timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  CHECK (ends_at > created_at)
) WITH (fillfactor = 80);

CREATE TABLE card_charges (
  charge_id         text PRIMARY KEY,
  position          bigint GENERATED ALWAYS AS IDENTITY,
  order_id          text NOT NULL UNIQUE,
  client_id         text NOT NULL,
  code              text NOT NULL,
  idempotency_key   text,
  amount_cents      bigint NOT NULL CHECK (amount_cents > 0),
  installments      integer NOT NULL CHECK (installments > 0),
  card_id           text NOT NULL,
  brand             text NOT NULL,
  first_six         text NOT NULL,
  last_four         text NOT NULL,
  outcome           text NOT NULL CHECK (outcome IN ('APPROVED', 'INSUFFICIENT_FUNDS', 'EXPIRED_CARD',
                      'SUSPECTED_FRAUD', 'LATE_APPROVED', 'LATE_DECLINED')),
  transaction_id    text NOT NULL,
  acquirer_tid      text NOT NULL,
  acquirer_nsu      text NOT NULL,
  auth_code         text NOT NULL,
  status            text NOT NULL CHECK (status IN ('processing', 'paid', 'failed', 'canceled',
                      'chargedback')),
  canceled_cents    bigint NOT NULL DEFAULT 0 CHECK (canceled_cents BETWEEN 0 AND amount_cents),
  refuses_refunds   boolean NOT NULL DEFAULT false,
  created_at        timestamptz(3) NOT NULL,
  -- The time when a processing charge ends.
  due_at            timestamptz NOT NULL,
  paid_at           timestamptz(3),
  canceled_at       timestamptz(3),
  chargeback_cents  bigint CHECK (chargeback_cents > 0),
  chargeback_reason text,
  charged_back_at   timestamptz(3),
  CHECK ((status = 'canceled') = (canceled_cents = amount_cents)),
  CHECK ((status IN ('processing', 'failed')) = (paid_at IS NULL)),
  CHECK (paid_at IS NOT NULL OR canceled_cents = 0),
  CHECK ((status = 'chargedback') = (charged_back_at IS NOT NULL)),
  CHECK ((charged_back_at IS NULL) = (chargeback_cents IS NULL)),
  CHECK ((charged_back_at IS NULL) = (chargeback_reason IS NULL)),
  CHECK (chargeback_cents <= amount_cents - canceled_cents),
  CONSTRAINT card_charges_key UNIQUE (client_id, idempotency_key)
) WITH (fillfactor = 80);
CREATE INDEX card_charges_code ON card_charges (code, client_id);
CREATE INDEX card_charges_statement ON card_charges (client_id, created_at, position);
CREATE INDEX card_charges_due ON card_charges (due_at) WHERE status = 'processing';

CREATE TABLE card_refunds (
  position        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  charge_id       text NOT NULL REFERENCES card_charges (charge_id),
  client_id       text NOT NULL,
  idempotency_key text,
  amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
  -- The response, for a repeated request with the same key.
  answer          text NOT NULL,
  created_at      timestamptz(3) NOT NULL,
  CONSTRAINT card_refunds_key UNIQUE (client_id, idempotency_key)
);

CREATE TABLE infractions (
  infraction_id    uuid PRIMARY KEY,
  position         bigint GENERATED ALWAYS AS IDENTITY,
  -- The payer's bank opens one infraction of a payment.
  end_to_end_id    text NOT NULL CONSTRAINT infractions_payment UNIQUE REFERENCES payments (end_to_end_id),
  client_id        text NOT NULL,
  txid             text NOT NULL,
  amount_cents     bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
  reason           text NOT NULL CHECK (reason IN ('FRAUD', 'OPERATIONAL_FLAW')),
  description      text NOT NULL,
  created_at       timestamptz(3) NOT NULL,
  deadline         timestamptz(3) NOT NULL CHECK (deadline > created_at),
  defense          text,
  documents        text[],
  defended_at      timestamptz(3),
  -- The files that the defense names.
  defense_file_ids uuid[] NOT NULL DEFAULT '{}',
  CHECK ((defended_at IS NULL) = (defense IS NULL)),
  CHECK ((defended_at IS NULL) = (documents IS NULL))
);
CREATE INDEX infractions_statement ON infractions (client_id, created_at, position);

-- Files of a defense, without their bytes.
CREATE TABLE defense_files (
  infraction_id uuid NOT NULL REFERENCES infractions,
  file_id       uuid NOT NULL,
  name          text NOT NULL,
  type          text NOT NULL,
  size_bytes    integer NOT NULL,
  sha256        text NOT NULL,
  PRIMARY KEY (infraction_id, file_id)
);

CREATE TABLE payouts (
  client_id     text NOT NULL,
  payout_id     text NOT NULL CHECK (payout_id ~ '^[a-zA-Z0-9]{1,35}$'),
  position      bigint GENERATED ALWAYS AS IDENTITY,
  end_to_end_id text NOT NULL UNIQUE CHECK (end_to_end_id ~ '^E[0-9]{20}[a-zA-Z0-9]{11}$'),
  amount_cents  bigint NOT NULL CHECK (amount_cents BETWEEN 1 AND 999999999999),
  payer_key     text NOT NULL,
  payee_key     text NOT NULL,
  note          text,
  status        text NOT NULL DEFAULT 'EM_PROCESSAMENTO'
                  CHECK (status IN ('EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO')),
  requested_at  timestamptz(3) NOT NULL,
  due_at        timestamptz NOT NULL,
  ended_at      timestamptz(3),
  -- The ordered end, which overrides the one of the Pix key; 'hold': the payout does not end by itself.
  ordered_end   text CHECK (ordered_end IN ('hold', 'complete', 'fail')),
  CHECK ((status = 'EM_PROCESSAMENTO') = (ended_at IS NULL)),
  PRIMARY KEY (client_id, payout_id)
) WITH (fillfactor = 80);
CREATE INDEX payouts_due ON payouts (due_at) WHERE status = 'EM_PROCESSAMENTO';

-- The ordered end of a payout that has not arrived yet.
CREATE TABLE payout_ends (
  payout_id   text PRIMARY KEY CHECK (payout_id ~ '^[a-zA-Z0-9]{1,35}$'),
  ordered_end text NOT NULL CHECK (ordered_end IN ('hold', 'complete', 'fail'))
);

-- The provider faults of a merchant; one without a row has none.
CREATE TABLE weather (
  merchant_id uuid PRIMARY KEY,
  pix         text NOT NULL CHECK (pix IN ('ok', 'slow', 'down', 'unknown')),
  card        text NOT NULL CHECK (card IN ('ok', 'slow', 'down', 'unknown')),
  payout      text NOT NULL CHECK (payout IN ('ok', 'slow', 'down', 'unknown', 'held')),
  until       timestamptz(3) NOT NULL
);
CREATE INDEX weather_until ON weather (until);

-- Orders whose response was lost. A repeated order gets one.
CREATE TABLE lost_answers (
  merchant_id uuid NOT NULL REFERENCES weather ON DELETE CASCADE,
  call        bytea NOT NULL,
  PRIMARY KEY (merchant_id, call)
);
