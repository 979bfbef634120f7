import { addDays, BANK_TIME_ZONE, startOfDay, type TimeZone, timeZones } from '@plataforma/kernel';
import { z } from 'zod';
import { dayOrInstant } from './fields.ts';

/** The first instant of a day, or the one after it, as long as it is not known in whose zone: that of a UTC day. */
class EdgeOfDay extends Date {
  readonly day: string;
  constructor(day: string) {
    super(`${day}T00:00:00Z`);
    this.day = day;
  }
}

const isDay = (value: string) => value.length === 10;

const startDate = dayOrInstant
  .transform((value): Date => (isDay(value) ? new EdgeOfDay(value) : new Date(value)))
  .optional()
  .meta({ description: 'The first day, or the first instant.', example: '2026-11-01' });

/** The instant after the range: a day counts in whole, and of an instant its millisecond. */
const endDate = dayOrInstant
  .transform((value): Date => {
    return isDay(value) ? new EdgeOfDay(addDays(value, 1)) : new Date(new Date(value).getTime() + 1);
  })
  .optional()
  .meta({ description: 'The last day, or the last instant; it is included.', example: '2026-11-30' });

const zone = z.enum(timeZones);
const zoneMeaning = 'Whose days `startDate` and `endDate` are: UTC or a zone of Brazil';

/** The dates that narrow a list; its query ends in `.check(daysInZone)`. */
export const period = {
  startDate,
  endDate,
  timeZone: zone
    .optional()
    .meta({ description: `${zoneMeaning}; UTC when left out.`, example: 'America/Sao_Paulo' }),
};

/** The zone of a report, which is the banks' unless said otherwise. */
export const inBankZone = (description: string) => zone.default(BANK_TIME_ZONE).meta({ description });

interface Period {
  startDate?: Date | undefined;
  endDate?: Date | undefined;
  timeZone?: TimeZone | undefined;
}

/** Makes days those of the query's zone, which it names where a date was given, and refuses a period that ends first. */
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

/** Nothing is older, or later; so much remains around them that days before and after can be written with four digits, too. */
const [EARLIEST, LATEST] = [new Date('1970-01-01T00:00:00Z'), new Date('9999-12-30T00:00:00Z')];

/** A date of `period`, whose day is one of this zone's. */
export function edgeIn(date: Date | undefined, timeZone: TimeZone): Date | undefined {
  return date instanceof EdgeOfDay ? startOfDay(date.day, timeZone) : date;
}

function withinTime(date: Date | undefined): Date | undefined {
  if (!date || date < EARLIEST) return date && EARLIEST;
  return date > LATEST ? LATEST : date;
}
