/** The database's time in UTC with its microseconds, `2026-11-21T12:00:00.000000Z`: the later is the greater text. */
export type Instant = string;

/** When, and after which row, a transaction writes to a wallet whose lock it holds. */
export interface Moment {
  /** Later than everything that was written to the wallet before, even when the clock was set back. */
  at: Instant;
  /** The number of the wallet's last row. */
  lastRow: number;
}
