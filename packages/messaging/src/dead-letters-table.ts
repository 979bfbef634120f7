import type { Migration } from '@plataforma/data';

/** What a service that listens could not apply; each such service lists it among its own migrations. */
export const deadLettersTable: Migration = {
  name: 'dead_letters',
  sql: `
    CREATE TABLE dead_letters (
      id          uuid PRIMARY KEY,
      -- The event's id, or the hash of a body that is no event: a letter that is delivered twice is one row.
      fingerprint text NOT NULL CONSTRAINT dead_letters_fingerprint UNIQUE,
      event_id    uuid,
      type        text,
      body        bytea NOT NULL,
      reason      text,
      died_at     timestamptz NOT NULL,
      replayed_at timestamptz
    );
    -- The list, newest first.
    CREATE INDEX dead_letters_newest ON dead_letters (died_at DESC, id DESC);
    -- Which events must stay in the inbox, because a letter may still be replayed.
    CREATE INDEX dead_letters_waiting ON dead_letters (event_id) WHERE replayed_at IS NULL;
    -- Pruning of what was replayed long ago.
    CREATE INDEX dead_letters_replayed ON dead_letters (replayed_at) WHERE replayed_at IS NOT NULL;
  `,
};

/** What was found of the signature of each; null of what an older release kept. */
export const deadLetterSignatures: Migration = {
  name: 'dead_letter_signatures',
  sql: `
    ALTER TABLE dead_letters ADD COLUMN signature text
      CHECK (signature IN ('valid', 'unsigned', 'unchecked', 'invalid'))`,
};
