import { addDays, startOfDay, type TimeZone, timeZones } from '@plataforma/kernel';
import { z } from 'zod';

/** A time zone: UTC, or a zone of Brazil. */
export const timeZone = z.enum(timeZones);

const day = z.iso.date().refine((value) => value >= '0001', 'has no year 0');
const INSTANT =
  'an instant with seconds and Z or an offset, such as 2026-11-22T10:00:00-03:00; a + is %2B in a URL';

export const instant = z.iso.datetime({ offset: true, error: `must be ${INSTANT}` });

export const dayOrInstant = z.union(
  [day, instant],
  `must be a day that exists, such as 2026-11-22, or ${INSTANT}`,
);

/**
 * The start of a day whose time zone is not known yet. Used as a `Date`, it is the start of that day in UTC.
 */
export class EdgeOfDay extends Date {
  readonly day: string;
  constructor(day: string) {
    super(`${day}T00:00:00Z`);
    this.day = day;
  }
}

export const isDay = (value: string) => value.length === 10;

/** Returns the start of an `EdgeOfDay`'s day in a time zone. Returns any other date unchanged. */
export function edgeIn<Given extends Date | null | undefined>(
  date: Given,
  timeZone: TimeZone = 'UTC',
): Date | Given {
  return date instanceof EdgeOfDay ? startOfDay(date.day, timeZone) : date;
}

/**
 * The end of a validity: an instant, or a day, which is included. For a day the result is an `EdgeOfDay`,
 * which `edgeIn` converts to a time zone.
 */
export const expiry = dayOrInstant
  .transform((value): Date => (isDay(value) ? new EdgeOfDay(addDays(value, 1)) : new Date(value)))
  .refine((over) => /^(?!0000)\d{4}-/.test(over.toISOString()), 'must lie in the years 1 to 9999, in UTC');

export const timestamp = z.iso.datetime();
