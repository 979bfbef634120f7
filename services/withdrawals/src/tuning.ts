/** The intervals of the scheduler, the leases and the timeouts of requests. */
export interface Tuning {
  scheduleEveryMs: number;
  /** The time for which a withdrawal is claimed: longer than a provider's answer may take. */
  leaseMs: number;
  creationLeaseMs: number;
  unconfirmedMs: number;
  providerTimeoutMs: number;
  ledgerTimeoutMs: number;
}

export const productionTuning: Tuning = {
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  creationLeaseMs: 30_000,
  unconfirmedMs: 30 * 60_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
};
