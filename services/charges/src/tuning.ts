export const productionTuning = {
  registrationGraceMs: 30_000,
  firstPollMs: 120_000,
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
  cardMaxWaitMs: 12_000,
  cardHorizonMs: 15 * 60_000,
  refundLeaseMs: 30_000,
  refundRetryMs: 1_000,
  refundUnconfirmedMs: 60_000,
  readListsEveryMs: 30_000,
  rereadInfractionsEveryMs: 3_600_000,
  forgetEveryMs: 60_000,
  resealEveryMs: 10_000,
  /** The delay between a day's end and its reconciliation. */
  reconcileAfterMs: 3 * 3_600_000,
  reconcileAgainMs: 3_600_000,
};

export type Tuning = typeof productionTuning;
