/** Returns the current time. Rules get a clock as a dependency, so that a test can set the time. */
export type Clock = () => Date;

const DAY_MS = 86_400_000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

export function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** The real time, for leases and pauses, and the milliseconds by which the merchant's clock is ahead. */
export interface MerchantTime {
  now: Date;
  aheadMs: number;
}

export const systemClock: Clock = () => new Date();
