import { addDays, dayOf, Refusal, startOfDay, type TimeZone } from '@plataforma/kernel';

type Interval = 'hour' | 'day' | 'month';

interface VolumeQuery {
  interval: Interval;
  startDate?: Date | undefined;
  /** The instant after what is asked for. */
  endDate?: Date | undefined;
  timeZone: TimeZone;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const mostDays: Record<Interval, number> = { hour: 31, day: 366, month: 732 };

/** From one full hour on and until before another. */
export interface Hours {
  from: Date;
  until: Date;
}

/** The hours a report is of; those that a period cuts are in it. */
export function hoursOf(query: VolumeQuery, now: Date): Hours {
  const { endDate: until = now, interval } = query;
  const from = new Date(
    Math.floor((query.startDate ?? usualStart(query, until)).getTime() / HOUR_MS) * HOUR_MS,
  );
  // A day may have 25 hours.
  if (until.getTime() - from.getTime() > mostDays[interval] * DAY_MS + HOUR_MS) throw tooLong(interval);
  return { from, until };
}

/** The last 24 hours, 30 days or 12 months, of which the last may be incomplete. */
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

/** Paid of all that was tried, to four places; null when nothing was. */
export function approvalRate({ paid, declined }: { paid: number; declined: number }): number | null {
  return paid + declined === 0 ? null : Math.round((paid / (paid + declined)) * 10_000) / 10_000;
}
