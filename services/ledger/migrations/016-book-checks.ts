import type { Migration } from '@plataforma/data';

export const bookChecks: Migration = {
  name: '016_book_checks',
  sql: `
    -- How far the rolling check of the books has come, and what it found. One row, for all replicas.
    CREATE TABLE book_checks (
      is_only        boolean PRIMARY KEY DEFAULT true CHECK (is_only),
      -- Whoever takes a turn writes down what came of it only if nobody has taken one since.
      turn           bigint NOT NULL DEFAULT 0,
      next_turn_at   timestamptz NOT NULL DEFAULT now(),
      -- Where this round goes on, empty at its beginning; null: none is under way.
      place          text,
      round_began_at timestamptz NOT NULL DEFAULT '-infinity',
      found          bigint NOT NULL DEFAULT 0 CHECK (found >= 0),
      -- When the last whole round ended, or when there was none yet, since when one is due; and what it found.
      checked_at     timestamptz NOT NULL DEFAULT now(),
      differences    bigint NOT NULL DEFAULT 0 CHECK (differences >= 0)
    );
    INSERT INTO book_checks DEFAULT VALUES;
  `,
};
