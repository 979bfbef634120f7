import { addDays, dayOf, Refusal, startOfDay, type TimeZone } from '@plataforma/kernel';

export interface ClosingDay {
  date: string;
  endsAt: Date;
}

interface PeriodQuery {
  startDate?: Date | undefined;
  /** The end of the period (exclusive). Without an end the period ends now. */
  endDate?: Date | undefined;
  timeZone: TimeZone;
}

const USUAL_DAYS = 30;
export const MOST_DAYS = 366;

/**
 * Returns the days of a period in ascending order. Throws VALIDATION_ERROR if the period has more than 366
 * days.
 */
export function closingDays({ startDate, endDate, timeZone }: PeriodQuery, now: Date): ClosingDay[] {
  const last = dayOf(endDate ? new Date(endDate.getTime() - 1) : now, timeZone);
  const first = startDate ? dayOf(startDate, timeZone) : addDays(last, 1 - USUAL_DAYS);
  const days: ClosingDay[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    if (days.length === MOST_DAYS) throw tooLong();
    days.push({ date, endsAt: startOfDay(addDays(date, 1), timeZone) });
  }
  return days;
}

export function tooLong(): Refusal {
  const message = `startDate: ${MOST_DAYS} days at most are answered; give an endDate no more than that later`;
  return new Refusal('invalid', 'VALIDATION_ERROR', message);
}
