import type { Migration } from '../../src/index.ts';

/** A migration that creates each kind of table that a service has. */
export const notes: Migration = {
  name: '001_notes',
  sql: `
    CREATE TABLE notes (
      position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      number   bigserial,
      text     text NOT NULL
    );
    CREATE TABLE "Facts" (id uuid PRIMARY KEY, note bigint REFERENCES notes);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'append-only'; END
    $$;
    CREATE TRIGGER "Facts_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "Facts"
      FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
};
export const more: Migration = {
  name: '002_more',
  sql: `
    CREATE TABLE more (text text);
    CREATE TABLE lines (text text);
    CREATE TRIGGER lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON lines
      FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
};
