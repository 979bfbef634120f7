import type { Migration } from '@plataforma/data';

/** What a service keeps of the chains of all others, and where its own are; each lists it among its migrations. */
export const anchorsTable: Migration = {
  name: 'chain_anchors',
  sql: `
    -- Heads of the chains of other services, as these have announced them. A second hash of one place contradicts the
    -- first and is kept beside it.
    CREATE TABLE chain_anchors (
      service  text NOT NULL,
      chain    text NOT NULL,
      epoch    integer NOT NULL CHECK (epoch > 0),
      sequence bigint NOT NULL CHECK (sequence > 0),
      hash     text NOT NULL,
      at       timestamptz NOT NULL,
      kept_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (service, chain, epoch, sequence, hash)
    );
    CREATE FUNCTION refuse_kept_anchor_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER chain_anchors_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON chain_anchors
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_kept_anchor_change();

    -- What this service has announced last of each chain of its own. The first time is an hour away, when no replica of
    -- the release before is left that would not know the event.
    CREATE TABLE chain_heads (
      chain    text PRIMARY KEY,
      epoch    integer NOT NULL DEFAULT 1 CHECK (epoch > 0),
      sequence bigint NOT NULL DEFAULT 0 CHECK (sequence >= 0),
      hash     text,
      next_at  timestamptz NOT NULL DEFAULT now() + interval '1 hour'
    );
    INSERT INTO chain_heads (chain) VALUES ('audit');
  `,
};
