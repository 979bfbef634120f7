/** A table whose rows have a seal. */
export interface SealedTable {
  name: string;
  /** The fields of a row that the seal covers, besides the field `id`. */
  fields: readonly string[];
}

/**
 * The seals of rows that order money or say who may order it. A seal is computed with a key that the database
 * does not have, so that a login at the database cannot make a row that the service works on.
 */
export interface RowSeals {
  /** Returns the seal of a row, for its column `seal`. */
  sealOf(table: SealedTable, row: SealableRow): string;
  /** Returns true if the row may be worked on. Otherwise counts the row, and logs its table and id. */
  isTrusted(table: SealedTable, row: SealableRow, seal: string | null): boolean;
}

export type SealableRow = Readonly<{ id: string }>;
