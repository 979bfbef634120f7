/** How often withdrawals looks for what is due, and how long it waits for others. */
export interface Tuning {
  scheduleEveryMs: number;
  leaseMs: number;
  creationLeaseMs: number;
  doubtMs: number;
  providerTimeoutMs: number;
  ledgerTimeoutMs: number;
}

export const productionTuning: Tuning = {
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  creationLeaseMs: 30_000,
  doubtMs: 30 * 60_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
};
