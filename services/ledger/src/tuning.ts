export interface Tuning {
  scheduleEveryMs: number;
  /** The lease of a receivable, and its pause after a failed settlement. */
  leaseMs: number;
  /** The most entries that one step of the check reads. */
  entriesPerCheck: number;
}

export const productionTuning: Tuning = { scheduleEveryMs: 500, leaseMs: 30_000, entriesPerCheck: 5_000 };
