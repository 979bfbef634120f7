const DAY_MS = 86_400_000;

/** For how long what is over stays readable. */
export interface Retention {
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
