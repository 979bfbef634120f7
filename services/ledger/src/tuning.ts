export interface Tuning {
  scheduleEveryMs: number;
  /** The lease of a receivable in milliseconds, which is also the delay after a failed settlement. */
  leaseMs: number;
  /** The approximate number of entries that one step of the check of the books (`checkBooks`) verifies. */
  entriesPerCheck: number;
}

export const productionTuning: Tuning = { scheduleEveryMs: 500, leaseMs: 30_000, entriesPerCheck: 5_000 };
