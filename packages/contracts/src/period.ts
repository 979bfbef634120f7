import { addDays, BANK_TIME_ZONE, type TimeZone } from '@plataforma/kernel';
import type { z } from 'zod';
import { dayOrInstant, EdgeOfDay, edgeIn, isDay, timeZone } from './fields.ts';

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

const zoneMeaning = 'Whose days `startDate` and `endDate` are: UTC or a zone of Brazil';

/**
 * The dates that narrow a list; its query ends in `.check(daysInZone)`. The server adds the zone of a merchant's account
 * where the query names none; UTC remains for operators, and for calls that an older gateway forwards.
 */
export const period = {
  startDate,
  endDate,
  timeZone: timeZone.optional().meta({
    description: `${zoneMeaning}. Left out: that of the account, and UTC for operators.`,
    example: 'America/Sao_Paulo',
  }),
};

/** The zone of a report: the account's, and the banks' for calls that an older gateway forwards. */
export const zoneOfReport = (description: string) =>
  timeZone
    .optional()
    .transform((zone): TimeZone => zone ?? BANK_TIME_ZONE)
    .meta({ description: `${description} Left out: the zone of the account.`, example: 'America/Sao_Paulo' });

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

function withinTime(date: Date | undefined): Date | undefined {
  if (!date || date < EARLIEST) return date && EARLIEST;
  return date > LATEST ? LATEST : date;
}
