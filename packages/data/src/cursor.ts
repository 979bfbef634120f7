import { Refusal } from '@plataforma/kernel';

/** The position in a list from which the next page is read. */
export interface Position {
  /** The number of the page that begins at this position. */
  page: number;
  /** The sort values of the last row before this position, as JSON values. Times have microseconds. */
  values: readonly (string | number | boolean)[];
}

/** Returns the position as a base64url text that callers send back. */
export function cursorOf({ page, values }: Position): string {
  return Buffer.from(JSON.stringify([page, ...values])).toString('base64url');
}

/** Reads a cursor. Refuses with VALIDATION_ERROR a text that is no cursor with this number of columns. */
export function positionOf(cursor: string, columns: number): Position {
  const [page, ...values] = partsOf(cursor);
  const isPosition = typeof page === 'number' && Number.isSafeInteger(page) && values.length === columns;
  if (!isPosition || !values.every(isValue)) throw brokenCursor();
  return { page, values };
}

/** Returns the refusal of a malformed cursor or of a cursor of another list. */
export function brokenCursor(): Refusal {
  const message = 'after: must be the meta.next of an answer of this list with the same filters';
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

function partsOf(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
