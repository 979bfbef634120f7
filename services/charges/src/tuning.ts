/** How often charges looks for what is due, and how long it waits for others. */
export interface Tuning {
  registrationGraceMs: number;
  firstPollMs: number;
  scheduleEveryMs: number;
  leaseMs: number;
  providerTimeoutMs: number;
  ledgerTimeoutMs: number;
  cardPatienceMs: number;
  cardHorizonMs: number;
  refundPatienceMs: number;
  refundRetryMs: number;
  refundDoubtMs: number;
  readListsEveryMs: number;
  rereadInfractionsEveryMs: number;
  forgetEveryMs: number;
  resealEveryMs: number;
  /** How long after a day's end it is reconciled, and after how long what differs is looked at again. */
  reconcileAfterMs: number;
  reconcileAgainMs: number;
}

export const productionTuning: Tuning = {
  registrationGraceMs: 30_000,
  firstPollMs: 120_000,
  scheduleEveryMs: 500,
  leaseMs: 30_000,
  providerTimeoutMs: 8_000,
  ledgerTimeoutMs: 5_000,
  cardPatienceMs: 12_000,
  cardHorizonMs: 15 * 60_000,
  refundPatienceMs: 30_000,
  refundRetryMs: 1_000,
  refundDoubtMs: 60_000,
  readListsEveryMs: 30_000,
  rereadInfractionsEveryMs: 3_600_000,
  forgetEveryMs: 60_000,
  resealEveryMs: 10_000,
  reconcileAfterMs: 3 * 3_600_000,
  reconcileAgainMs: 3_600_000,
};
