/** A table whose rows have a seal. */
export interface SealedTable {
  name: string;
  /** The fields of a row that the seal covers, besides the field `id`. */
  fields: readonly string[];
}

/**
 * Seals of rows that order money or permit such orders. The key of a seal is not in the database, so a login
 * at the database cannot create a row that the service accepts.
 */
export interface RowSeals {
  /** Returns the seal of a row, for its column `seal`. */
  sealOf(table: SealedTable, row: SealableRow): string;
  /** Returns true if the row may be worked on. Otherwise counts the row, and logs its table and id. */
  isTrusted(table: SealedTable, row: SealableRow, seal: string | null): boolean;
}

export type SealableRow = Readonly<{ id: string }>;
