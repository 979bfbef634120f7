import type { Migration } from '@plataforma/data';

export const checkoutEnds: Migration = {
  name: '078_checkout_ends',
  sql: `
    -- The time when the schedule checks whether the checkout has ended; null: its end was announced, or it
    -- ended before this migration.
    ALTER TABLE checkouts
      ADD COLUMN ends_at  timestamptz,
      -- The sequence of its latest event.
      ADD COLUMN sequence integer NOT NULL DEFAULT 0;
    -- A replica of release 0.6.0 does not set the time.
    ALTER TABLE checkouts ALTER COLUMN ends_at SET DEFAULT now() + interval '24 hours';

    -- The real time when the schedule makes the checkouts of an ended link due; null: the link has no end to
    -- check.
    ALTER TABLE payment_links
      ADD COLUMN next_check_at timestamptz,
      ADD COLUMN checks        integer NOT NULL DEFAULT 0,
      ADD COLUMN lease_token   uuid,
      ADD COLUMN lease_until   timestamptz;

    -- Now also makes a paid checkout due, so that a payment that a replica of release 0.6.0 records is
    -- announced.
    CREATE OR REPLACE FUNCTION follow_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      followed checkouts;
      was_declined boolean := NEW.status = 'DECLINED'
        AND coalesce(NEW.decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided');
    BEGIN
      UPDATE checkouts SET is_living = false, declines = declines + was_declined::integer,
      due_at = card_form_until,
        use = CASE WHEN NEW.status = 'PAID' THEN 'USED' WHEN card_form_until > now() THEN 'HELD'
        ELSE 'NONE' END,
        ends_at = CASE WHEN NEW.status = 'PAID' THEN now() ELSE ends_at END
      WHERE id = NEW.checkout_id AND charge_id = NEW.id AND is_living
      RETURNING * INTO followed;
      IF followed.use = 'USED' THEN
        UPDATE payment_links SET paid = paid + 1 WHERE id = followed.link_id;
      ELSIF followed.use = 'NONE' THEN
        UPDATE payment_links SET taken = taken - 1 WHERE id = followed.link_id;
      END IF;
      RETURN NULL;
    END $$;

    -- A link ends at its time, which in a sandbox is by the sandbox's clock, or with its last payment.
    CREATE FUNCTION plan_link_end() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.next_check_at := CASE WHEN NEW.paid >= NEW.uses THEN now() ELSE NEW.expires_at - coalesce(
        (SELECT ahead_ms FROM sandbox_clocks
        WHERE merchant_id = NEW.merchant_id AND NEW.environment = 'sandbox'),
        0) * interval '1 millisecond' END;
      RETURN NEW;
    END $$;
    CREATE TRIGGER payment_links_plan_end BEFORE INSERT OR UPDATE OF expires_at, uses, paid ON payment_links
      FOR EACH ROW EXECUTE FUNCTION plan_link_end();
  `,
};
