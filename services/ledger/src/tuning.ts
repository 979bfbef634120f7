/** How often the ledger looks for what is due, and how much it takes up at once. */
export interface Tuning {
  scheduleEveryMs: number;
  /** For how long no other replica looks at a receivable, and how long it rests after a failed settlement. */
  leaseMs: number;
  /** Of a check of the books. */
  entriesPerTurn: number;
}

export const productionTuning: Tuning = { scheduleEveryMs: 500, leaseMs: 30_000, entriesPerTurn: 5_000 };
