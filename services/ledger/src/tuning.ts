/** How often the ledger looks for what is due, and how much it takes up at once. */
export interface Tuning {
  scheduleEveryMs: number;
  /** For how long no other replica looks at a receivable, and how long it rests after a failed settlement. */
  leaseMs: number;
  /** The most entries that a check of the books reads in one turn. */
  entriesPerCheck: number;
}

export const productionTuning: Tuning = { scheduleEveryMs: 500, leaseMs: 30_000, entriesPerCheck: 5_000 };
