import type { ServiceName } from '@plataforma/testing';

/** A guard taken away from the platform: a suite that finds nothing wrong then proves nothing. */
export interface Mutation {
  readonly name: string;
  /** What it takes away. */
  readonly breaks: string;
  /** In the text of the services' own files, as they are loaded. */
  readonly edits: readonly Edit[];
  /** Run as the owner of a service's tables before the run: where the database holds a second guard. */
  readonly sql?: readonly { service: ServiceName; statement: string }[];
  /** The harm, in words of a finding: another one proves nothing. */
  readonly shows: RegExp;
  /** What brings the harm about. */
  readonly needs: {
    /** Names of faults, or of groups of them. */
    readonly faults?: readonly string[];
    /** The fail points where a death does. */
    readonly points?: readonly string[];
    readonly clients?: string;
  };
}

export interface Edit {
  /** From the root of the repository. */
  file: string;
  /** Stands there exactly once. */
  find: string;
  replace: string;
}

/** Throws where the text has changed since: the guard may be another one now. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((before, { file, find, replace }) => {
    const parts = before.split(find);
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times: ${find}`);
    return parts.join(replace);
  }, text);
}

/** A second guard in the database: all CHECKs of a table that name a column. */
export const dropChecksOn = (table: string, column: string) => `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%${column}%'
    LOOP EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', name); END LOOP;
  END $$`;
