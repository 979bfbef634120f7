import type { Migration } from '@plataforma/data';

export const paymentLinks: Migration = {
  name: '061_payment_links',
  sql: `
    CREATE TABLE payment_links (
      id                 uuid PRIMARY KEY,
      merchant_id        uuid NOT NULL,
      environment        text NOT NULL CHECK (environment IN ('production', 'sandbox')),
      slug               text NOT NULL CONSTRAINT payment_links_slug UNIQUE CHECK (slug ~ '^[A-Za-z0-9_-]{16}$'),
      is_active          boolean NOT NULL DEFAULT true,
      description        text NOT NULL,
      -- Null: the buyer says how much, within the other two.
      amount_cents       bigint CHECK (amount_cents >= 100),
      min_cents          bigint CHECK (min_cents >= 100),
      max_cents          bigint CHECK (max_cents >= 100),
      methods            text[] NOT NULL CHECK (methods <@ ARRAY['PIX', 'CARD'] AND cardinality(methods) > 0),
      -- How often it can be paid; null: any number of times. Taken are those that are paid or held by a checkout.
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
    -- A merchant's links, newest first.
    CREATE INDEX payment_links_list ON payment_links (merchant_id, environment, created_at DESC, id DESC);

    -- How often a link's page was opened and a checkout begun; in slots, so that buyers do not wait for each other.
    CREATE TABLE payment_link_counts (
      link_id uuid NOT NULL REFERENCES payment_links,
      slot    smallint NOT NULL CHECK (slot BETWEEN 0 AND 7),
      visits  integer NOT NULL DEFAULT 0,
      starts  integer NOT NULL DEFAULT 0,
      PRIMARY KEY (link_id, slot)
    );
  `,
};
