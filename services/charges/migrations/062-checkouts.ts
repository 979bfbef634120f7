import type { Migration } from '@plataforma/data';

export const checkouts: Migration = {
  name: '062_checkouts',
  sql: `
    LOCK TABLE charges IN ACCESS EXCLUSIVE MODE;
    -- A buyer's visit to a payment link: one living charge at most, whose externalId is the checkout's.
    CREATE TABLE checkouts (
      id              uuid PRIMARY KEY,
      link_id         uuid NOT NULL REFERENCES payment_links,
      environment     text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      external_id     text NOT NULL CHECK (length(external_id) <= 64),
      payer_name      text NOT NULL,
      payer_document  text NOT NULL,
      amount_cents    bigint NOT NULL CHECK (amount_cents >= 100),
      -- Of its link. HELD: by a living charge, or by a card form until then.
      use             text NOT NULL DEFAULT 'NONE' CHECK (use IN ('NONE', 'HELD', 'USED')),
      card_form_until timestamptz,
      -- Since when a form holds it.
      held_since      timestamptz,
      -- The latest charge, and whether that is PENDING.
      charge_id       uuid REFERENCES charges,
      is_living       boolean NOT NULL DEFAULT false,
      declines        integer NOT NULL DEFAULT 0,
      -- When the clock looks whether a card form has let its use go.
      due_at          timestamptz,
      looks           integer NOT NULL DEFAULT 0,
      created_at      timestamptz NOT NULL,
      CHECK (is_living <= (use = 'HELD' AND charge_id IS NOT NULL))
    );
    -- Who comes again with the same document.
    CREATE INDEX checkouts_link ON checkouts (link_id) WHERE use <> 'NONE';
    CREATE INDEX checkouts_due ON checkouts (environment, due_at) WHERE use = 'HELD' AND NOT is_living;

    ALTER TABLE charges ADD COLUMN payment_link_id uuid, ADD COLUMN checkout_id uuid;

    -- A use follows the charge that holds it, in the transaction that ends the charge, whichever release ends it. Locked
    -- in this order everywhere: charge, checkout, link.
    CREATE FUNCTION follow_checkout() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      followed checkouts;
      was_declined boolean := NEW.status = 'DECLINED'
        AND coalesce(NEW.decline_reason, '') NOT IN ('invalid_card_token', 'not_processed', 'voided');
    BEGIN
      UPDATE checkouts SET is_living = false, declines = declines + was_declined::integer, due_at = card_form_until,
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
  `,
};
