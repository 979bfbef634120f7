/** UTC and the zones of Brazil (IANA tz, zone1970.tab, BR). Each has an offset of whole hours. */
export const timeZones = [
  'UTC',
  'America/Sao_Paulo',
  'America/Araguaina',
  'America/Bahia',
  'America/Belem',
  'America/Boa_Vista',
  'America/Campo_Grande',
  'America/Cuiaba',
  'America/Eirunepe',
  'America/Fortaleza',
  'America/Maceio',
  'America/Manaus',
  'America/Noronha',
  'America/Porto_Velho',
  'America/Recife',
  'America/Rio_Branco',
  'America/Santarem',
] as const;

export type TimeZone = (typeof timeZones)[number];

/** The time zone of a day at Brazil's banks. */
export const BANK_TIME_ZONE: TimeZone = 'America/Sao_Paulo';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<TimeZone, Intl.DateTimeFormat>();

/**
 * Returns the hours from UTC at an instant: -3 in São Paulo. Uses the offset of 1970 for earlier instants,
 * because older offsets were not whole hours.
 */
function offsetHours(instant: Date, timeZone: TimeZone): number {
  if (timeZone === 'UTC') return 0;
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const segments = format.formatToParts(Math.max(0, instant.getTime()));
  const name = segments.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return Number(name.slice('GMT'.length).replace(':00', ''));
}

/**
 * Returns the first instant of a day (YYYY-MM-DD) in a zone. Where summer time skips midnight, the day begins
 * at 01:00.
 */
export function startOfDay(day: string, timeZone: TimeZone): Date {
  const midnight = new Date(`${day}T00:00:00Z`).getTime();
  const near = new Date(midnight - offsetHours(new Date(midnight), timeZone) * HOUR_MS);
  const start = new Date(midnight - offsetHours(near, timeZone) * HOUR_MS);
  return dayOf(start, timeZone) < day ? near : start;
}

/** Returns the day (YYYY-MM-DD) of an instant in a zone. */
export function dayOf(instant: Date, timeZone: TimeZone): string {
  return inZone(instant, timeZone).slice(0, -'T00:00:00.000-03:00'.length);
}

/** A day in the time zone of Brazil's banks. Daily limits apply to such a day. */
export interface BankDay {
  day: string;
  from: Date;
  until: Date;
}

export function bankDayOf(instant: Date): BankDay {
  const day = dayOf(instant, BANK_TIME_ZONE);
  const until = startOfDay(addDays(day, 1), BANK_TIME_ZONE);
  return { day, from: startOfDay(day, BANK_TIME_ZONE), until };
}

/**
 * Returns the day (YYYY-MM-DD) that is `days` days after the given day. A negative number counts backwards.
 */
export function addDays(day: string, days: number): string {
  const instant = new Date(new Date(`${day}T00:00:00Z`).getTime() + days * DAY_MS);
  return instant.toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Returns an instant as local time with its offset: `2026-11-22T10:00:00.000-03:00`. */
export function inZone(instant: Date, timeZone: TimeZone): string {
  const hours = offsetHours(instant, timeZone);
  const local = new Date(instant.getTime() + hours * HOUR_MS).toISOString().slice(0, -1);
  return `${local}${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}
