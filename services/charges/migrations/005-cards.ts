import type { Migration } from '@plataforma/data';

export const cards: Migration = {
  name: '005_cards',
  sql: `
    ALTER TABLE charges
      DROP CONSTRAINT charges_payment_method_check,
      DROP CONSTRAINT charges_status_check,
      DROP CONSTRAINT charges_check1,
      DROP CONSTRAINT charges_check2,
      DROP CONSTRAINT charges_external_id,
      ALTER COLUMN expires_at DROP NOT NULL,
      ADD COLUMN installments        integer CHECK (installments BETWEEN 1 AND 18),
      ADD COLUMN card_brand          text,
      ADD COLUMN card_last_digits    text,
      -- The charge's name at the acquirer, known once it was approved.
      ADD COLUMN acquirer_id         text,
      ADD COLUMN decline_reason      text,
      -- True while a card payment that nobody asked about again is being given back.
      ADD COLUMN is_voiding          boolean NOT NULL DEFAULT false,
      ADD COLUMN settles_at          timestamptz,
      ADD COLUMN refunded_cents      bigint CHECK (refunded_cents BETWEEN 1 AND amount_cents),
      ADD COLUMN refunded_at         timestamptz,
      ADD COLUMN refund_reason       text,
      ADD COLUMN checks              integer NOT NULL DEFAULT 0,
      ADD CHECK (payment_method IN ('PIX', 'CARD')),
      -- DECLINED is an attempt with a card that came to nothing: no merchant ever sees one.
      ADD CHECK (status IN ('PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED', 'DISPUTED', 'DECLINED')),
      ADD CHECK ((status IN ('PAID', 'REFUNDED', 'DISPUTED')) = (paid_at IS NOT NULL)),
      ADD CHECK (CASE payment_method
        WHEN 'PIX' THEN (paid_at IS NOT NULL) = (end_to_end_id IS NOT NULL) AND expires_at IS NOT NULL
          AND status <> 'DECLINED' AND installments IS NULL
        ELSE (paid_at IS NULL OR acquirer_id IS NOT NULL) AND end_to_end_id IS NULL AND installments IS NOT NULL
          AND status NOT IN ('EXPIRED', 'CANCELLED') END),
      ADD CHECK ((status = 'REFUNDED') <= (refunded_cents IS NOT NULL));
    -- One order, one charge; a declined card leaves the number free for the buyer's next one.
    CREATE UNIQUE INDEX charges_external_id ON charges (merchant_id, environment, external_id)
      WHERE status <> 'DECLINED';
    DROP INDEX charges_due;
    -- What the clock must look at, each environment for itself: one whose provider is slow holds up no other.
    CREATE INDEX charges_due ON charges (environment, next_check_at) WHERE status = 'PENDING';
    -- The acquirer's notices name its own charge.
    CREATE INDEX charges_acquirer ON charges (acquirer_id) WHERE acquirer_id IS NOT NULL;
    -- The payments of a day, for reconciliation.
    CREATE INDEX charges_paid_at ON charges (environment, paid_at) WHERE paid_at IS NOT NULL;
    -- The operators' list of all merchants.
    CREATE INDEX charges_all ON charges (created_at DESC, id DESC);
    CREATE INDEX charges_end_to_end ON charges (end_to_end_id) WHERE end_to_end_id IS NOT NULL;
  `,
};
