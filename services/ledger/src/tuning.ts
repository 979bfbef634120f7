/** How often the ledger looks for what is due, and how much it takes up at once. */
export interface Tuning {
  scheduleEveryMs: number;
  leaseMs: number;
  entriesPerTurn: number;
}

export const productionTuning: Tuning = { scheduleEveryMs: 500, leaseMs: 30_000, entriesPerTurn: 5_000 };
