export interface Tuning {
  scheduleEveryMs: number;
  /** The lease of a withdrawal in milliseconds. It must be longer than the timeout of a provider's answer. */
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
