import type { ServiceName } from '@plataforma/testing';

/** A guard that a run removes from the platform. The checks must then find the harm. */
export interface Mutation {
  readonly name: string;
  /** The rule that the guard enforces, in words. */
  readonly breaks: string;
  /** Changes of the services' source files, made when a process loads them. */
  readonly edits: readonly Edit[];
  /**
   * SQL statements that remove the database's own guard of the rule, if it has one. The owner of the tables
   * executes these statements before the run.
   */
  readonly sql?: readonly { service: ServiceName; statement: string }[];
  /**
   * Matches the finding that the removed guard must cause. A run with only other findings does not show the
   * harm.
   */
  readonly shows: RegExp;
  /**
   * The faults, fail points and acts that a run must cause, because the removed guard causes harm only
   * together with them.
   */
  readonly needs: {
    /** The names of faults, or of groups of faults. */
    readonly faults?: readonly string[];
    /** The fail points at which a killed process makes the mutation visible as a finding. */
    readonly points?: readonly string[];
    readonly clients?: string;
  };
}

/** Joins the names of mutations that one run makes together. */
export const JOINT = ' + ';

export interface Edit {
  /** The path of the file, relative to the root of the repository. */
  file: string;
  /** The text to replace. It must occur exactly once in the file. */
  find: string;
  replace: string;
}

/**
 * Applies the edits to the text of a source file. Throws if a text to replace does not occur exactly once,
 * because the safeguard that the edits disable may have changed.
 */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, { file, find, replace }) => {
    const pieces = before.split(find);
    if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times: ${find}`);
    return pieces.join(replace);
  }, text);
}

/**
 * Returns SQL that removes a table's CHECK constraints on a column, because they enforce the same rule as the
 * guard that a mutation removes.
 */
export const dropChecksOn = (table: string, column: string) => `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%${column}%'
    LOOP EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', name); END LOOP;
  END $$`;
