import { addDays, dayOf, Refusal, startOfDay, type TimeZone } from '@plataforma/kernel';

type Interval = 'hour' | 'day' | 'month';

interface VolumeQuery {
  interval: Interval;
  startDate?: Date | undefined;
  /** The end of the period, which the period does not include. */
  endDate?: Date | undefined;
  timeZone: TimeZone;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const mostDays: Record<Interval, number> = { hour: 31, day: 366, month: 732 };

/** The period of a report. It begins at a full hour. */
export interface Hours {
  from: Date;
  until: Date;
}

/** Returns the hours of a report. An hour that the period covers only in part is included. */
export function hoursOf(query: VolumeQuery, now: Date): Hours {
  const { endDate: until = now, interval } = query;
  const from = new Date(
    Math.floor((query.startDate ?? usualStart(query, until)).getTime() / HOUR_MS) * HOUR_MS,
  );
  // The limit has one more hour, because a day may have 25 hours.
  if (until.getTime() - from.getTime() > mostDays[interval] * DAY_MS + HOUR_MS) throw tooLong(interval);
  return { from, until };
}

/**
 * Returns the start of the last 24 hours, 30 days or 12 months. The last hour, day or month may be
 * incomplete.
 */
function usualStart({ interval, timeZone }: VolumeQuery, until: Date): Date {
  const last = new Date(until.getTime() - 1);
  if (interval === 'hour') return new Date(last.getTime() - DAY_MS + HOUR_MS);
  const day = dayOf(last, timeZone);
  if (interval === 'day') return startOfDay(addDays(day, -29), timeZone);
  const [year = 0, month = 0] = day.split('-').map(Number);
  return startOfDay(new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, day.length), timeZone);
}

function tooLong(interval: Interval): Refusal {
  const message = `startDate: by ${interval} at most ${mostDays[interval]} days are answered; give an endDate no more than that later`;
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}

/**
 * Returns the share of attempts that were paid, with four decimal places, or null when no attempts were made.
 */
export function approvalRate({ paid, declined }: { paid: number; declined: number }): number | null {
  return paid + declined === 0 ? null : Math.round((paid / (paid + declined)) * 10_000) / 10_000;
}
