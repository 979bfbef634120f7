/** The time now. Passed in wherever a rule depends on it, so that a test can say what time it is. */
export type Clock = () => Date;

const DAY_MS = 86_400_000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

export function later(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** The real time, for leases and rests, and by how much a merchant's time is ahead of it. */
export interface MerchantTime {
  now: Date;
  aheadMs: number;
}

export const systemClock: Clock = () => new Date();
