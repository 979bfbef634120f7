import type { ServiceName } from '@plataforma/testing';

/** A guard to remove from the platform. The suite must find the harm. */
export interface Mutation {
  readonly name: string;
  /** The rule that the guard enforces. */
  readonly breaks: string;
  /** Changes of the services' source files when they are loaded. */
  readonly edits: readonly Edit[];
  /** Statements run as the tables' owner before the run, where the database has a second guard. */
  readonly sql?: readonly { service: ServiceName; statement: string }[];
  /** Matches the finding that shows the harm. Another finding proves nothing. */
  readonly shows: RegExp;
  /** The conditions that cause the harm. */
  readonly needs: {
    /** Names of faults or of groups. */
    readonly faults?: readonly string[];
    /** The fail points at which a kill causes the harm. */
    readonly points?: readonly string[];
    readonly clients?: string;
  };
}

export interface Edit {
  /** Relative to the root of the repository. */
  file: string;
  /** Occurs exactly once in the file. */
  find: string;
  replace: string;
}

/** Applies the edits. Throws if a text has changed, because the guard may have changed with it. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, { file, find, replace }) => {
    const pieces = before.split(find);
    if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times: ${find}`);
    return pieces.join(replace);
  }, text);
}

/** Returns SQL that drops a table's CHECKs on a column, where the database has a second guard. */
export const dropChecksOn = (table: string, column: string) => `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%${column}%'
    LOOP EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', name); END LOOP;
  END $$`;
