import type { Migration } from '@plataforma/data';

/**
 * What the CHECKs of the table said, in one function: PostgreSQL reads the tree of each CHECK anew in every statement that
 * writes a row, and keeps what a function has made of its lines. The CHECK of the statuses alone stays, as their states are
 * compared with it. What is null is not refused, as in a CHECK. A rule that changes is another function.
 */
export const soundCharges: Migration = {
  name: '058_sound_charges',
  sql: `
    LOCK TABLE charges IN ACCESS EXCLUSIVE MODE;
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
          -- An attempt with a card that has ended.
          AND charge.is_watched <= (charge.status = 'DECLINED');
      END $$;
    ALTER TABLE charges
      ADD CONSTRAINT charges_sound CHECK (is_sound(charges)) NOT VALID,
      DROP CONSTRAINT charges_environment_check,
      DROP CONSTRAINT charges_txid_check,
      DROP CONSTRAINT charges_amount_cents_check,
      DROP CONSTRAINT charges_fee_cents_check,
      DROP CONSTRAINT charges_net_cents_check,
      DROP CONSTRAINT charges_installments_check,
      DROP CONSTRAINT charges_payment_method_check,
      DROP CONSTRAINT charges_check,
      DROP CONSTRAINT charges_check1,
      DROP CONSTRAINT charges_check2,
      DROP CONSTRAINT charges_check3,
      DROP CONSTRAINT charges_check4,
      DROP CONSTRAINT charges_check5;
  `,
};

/** The rows are sound by the CHECKs before it; that it says so, too, takes one more look at each, beside their writers. */
export const chargesBeforeSound: Migration = {
  name: '059_charges_before_sound',
  online: ['ALTER TABLE charges VALIDATE CONSTRAINT charges_sound'],
};
