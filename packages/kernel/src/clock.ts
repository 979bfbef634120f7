/** The time now. Passed in wherever a rule depends on it, so that a test can say what time it is. */
export type Clock = () => Date;

const DAY_MS = 86_400_000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

export const systemClock: Clock = () => new Date();
