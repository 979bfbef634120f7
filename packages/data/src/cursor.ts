import { Refusal } from '@plataforma/kernel';

/** Where a list is left, and read on from. */
export interface Position {
  /** The number of the page that begins there. */
  page: number;
  /** The sort values of the last row before it, as in JSON: times with microseconds. */
  values: readonly (string | number | boolean)[];
}

/** As callers carry it, in base64url. */
export function cursorOf({ page, values }: Position): string {
  return Buffer.from(JSON.stringify([page, ...values])).toString('base64url');
}

/** Refuses with VALIDATION_ERROR what no `cursorOf` has made of as many values. */
export function positionOf(cursor: string, columns: number): Position {
  const [page, ...values] = partsOf(cursor);
  const isPosition = typeof page === 'number' && Number.isSafeInteger(page) && values.length === columns;
  if (!isPosition || !values.every(isValue)) throw brokenCursor();
  return { page, values };
}

/** Refuses a cursor of another list. */
export function brokenCursor(): Refusal {
  const message = 'after: must be the meta.next of an answer of this list with the same filters';
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
