import { addDays, BANK_TIME_ZONE, type TimeZone } from '@plataforma/kernel';
import type { z } from 'zod';
import { dayOrInstant, EdgeOfDay, edgeIn, isDay, timeZone } from './days.ts';

const startDate = dayOrInstant
  .transform((value): Date => (isDay(value) ? new EdgeOfDay(value) : new Date(value)))
  .optional()
  .meta({ description: 'First day, or first instant.', example: '2026-11-01' });

/**
 * The first instant after the period. If the period ends with a day, the period includes that whole day. If
 * it ends with an instant, the period includes that millisecond.
 */
const endDate = dayOrInstant
  .transform((value): Date => {
    return isDay(value) ? new EdgeOfDay(addDays(value, 1)) : new Date(new Date(value).getTime() + 1);
  })
  .optional()
  .meta({ description: 'Last day, or last instant, inclusive.', example: '2026-11-30' });

const zoneMeaning = 'Time zone of the days in `startDate` and `endDate`: UTC or a zone of Brazil';

/**
 * The dates that filter a list. The schema of the query must end in `.check(daysInZone)`. If the query has no
 * time zone, the gateway adds the zone of the merchant's account. Queries of operators, and of an older
 * gateway, get UTC.
 */
export const period = {
  startDate,
  endDate,
  timeZone: timeZone.optional().meta({
    description: `${zoneMeaning}. Defaults to the time zone of the account, and to UTC for operators.`,
    example: 'America/Sao_Paulo',
  }),
};

/**
 * Returns the schema of a report's time zone. The default is the account's zone, which the gateway adds, or
 * the banks' zone for calls from an older gateway.
 */
export const zoneOfReport = (description: string) =>
  timeZone
    .optional()
    .transform((zone): TimeZone => zone ?? BANK_TIME_ZONE)
    .meta({
      description: `${description} Defaults to the time zone of the account.`,
      example: 'America/Sao_Paulo',
    });

interface Period {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  timeZone?: TimeZone | undefined;
}

/**
 * Converts the days of a query to instants in the query's time zone. If a query with a date has no zone, sets
 * `timeZone` to UTC. Refuses a period that ends before it starts.
 */
export function daysInZone({ value, issues }: z.core.ParsePayload<Period>): void {
  if (value.startDate ?? value.endDate) value.timeZone ??= 'UTC';
  const { startDate: start, endDate: end, timeZone = 'UTC' } = value;
  value.startDate = edgeIn(start, timeZone);
  value.endDate = edgeIn(end, timeZone);
  if (value.startDate && value.endDate && value.startDate >= value.endDate) {
    issues.push({ code: 'custom', path: ['startDate'], message: 'must not be after endDate', input: value });
  }
  value.startDate = withinTime(value.startDate);
  value.endDate = withinTime(value.endDate);
}

/**
 * A date outside of this range becomes the nearer end of the range. The range ends before 9999-12-31, so that
 * a date plus one day still has a year of four digits.
 */
const [EARLIEST, LATEST] = [new Date('1970-01-01T00:00:00Z'), new Date('9999-12-30T00:00:00Z')];

function withinTime(date: Date | undefined): Date | undefined {
  if (!date || date < EARLIEST) return date && EARLIEST;
  return date > LATEST ? LATEST : date;
}
