import type { Language } from '@plataforma/contracts/catalogue';
import { normaliseDocument } from '@plataforma/kernel/documents';
import { normalisePhone } from '@plataforma/kernel/phones';
import { addDays, dayOf, startOfDay, type TimeZone } from '@plataforma/kernel/time-zones';

interface Reader {
  language: Language;
  timeZone: TimeZone;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Formats cents as `R$ 1.234,56`, in both languages. */
export function money(cents: number): string {
  return reais.format(cents / 100);
}

/** Returns the digits of an amount field as cents. Digits beyond the API's largest amount are dropped. */
export function centsOf(text: string): number {
  return Number(text.replace(/\D/g, '').slice(0, 11));
}

export function count(value: number, language: Language): string {
  return new Intl.NumberFormat(language).format(value);
}

/** Formats a number of bytes as `48 kB` or `1,9 MB`. */
export function fileSize(bytes: number, language: Language): string {
  const [value, unit] =
    bytes < 1_000_000 ? [Math.ceil(bytes / 1_000), 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  const format = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, format).format(value);
}

/** Formats a fraction as `66,7%`. More digits would mean little, because the counts are usually small. */
export function share(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);
}

/** Formats a rate between 0 and 1 as `3,99%`. */
export function percent(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(value);
}

/** Formats a time as `22 de nov., 19:28`, with the year unless it is the current year. */
export function dateTime(iso: string, { language, timeZone }: Reader, now: number): string {
  const at = new Date(iso);
  const isOfThisYear = dayOf(at, timeZone).slice(0, 4) === daysAgo(0, now, timeZone).slice(0, 4);
  return new Intl.DateTimeFormat(language, {
    ...{ timeZone, day: 'numeric', month: 'short', hour: hourIn(language), minute: '2-digit' },
    ...(!isOfThisYear && { year: 'numeric' }),
  }).format(at);
}

/** Returns the format of hours: two digits in Portuguese (`07:28`), one or two in English (`7:28 AM`). */
function hourIn(language: Language): 'numeric' | '2-digit' {
  return language === 'en' ? 'numeric' : '2-digit';
}

/** Formats a time as `22 de nov., 19:28:05`, for content with several events in a minute. */
export function exactTime(iso: string, { language, timeZone }: Reader): string {
  const clock = { hour: hourIn(language), minute: '2-digit', second: '2-digit' } as const;
  const format = { timeZone, day: 'numeric', month: 'short', ...clock } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(iso));
}

/** Formats a time with seconds and time zone, for a tooltip. */
export function fullDateTime(iso: string, { language, timeZone }: Reader): string {
  const format = { timeZone, dateStyle: 'full', timeStyle: 'long' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(iso));
}

/** Formats the distance of a time from now as `há 3 min`. Returns null for a distance of a day or more. */
export function relative(iso: string, language: Language, now: number): string | null {
  const away = new Date(iso).getTime() - now;
  const size = Math.abs(away);
  if (size >= DAY_MS) return null;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  if (size < MINUTE_MS) return format.format(0, 'second');
  if (size < HOUR_MS) return format.format(Math.trunc(away / MINUTE_MS), 'minute');
  return format.format(Math.trunc(away / HOUR_MS), 'hour');
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** Formats seconds as `2 dias e 1 hora`, without the units that are zero. */
export function duration(seconds: number, language: Language): string {
  let left = seconds * 1_000;
  const units = UNITS.flatMap(([unit, size]) => {
    const whole = Math.floor(left / size);
    left -= whole * size;
    const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
    return whole > 0 ? new Intl.NumberFormat(language, format).format(whole) : [];
  });
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(units);
}

/**
 * Returns the number of whole days from `now` until a time. The number is negative for a time in the past.
 */
export function daysUntil(iso: string, now: number): number {
  return Math.floor((new Date(iso).getTime() - now) / DAY_MS);
}

/** Formats a day of the API (YYYY-MM-DD) as `22 de nov.`. */
export function day(text: string, language: Language): string {
  const format = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(`${text}T12:00:00Z`));
}

/** Returns the day (YYYY-MM-DD) that was `days` days ago in a time zone. For 0 it is the current day. */
export function daysAgo(days: number, now: number, zone: TimeZone): string {
  return addDays(dayOf(new Date(now), zone), -days);
}

/** Returns the last second of a day in a time zone, as an ISO 8601 text for the API. */
export function endOfDay(day: string, zone: TimeZone): string {
  return new Date(startOfDay(addDays(day, 1), zone).getTime() - 1_000).toISOString();
}

/** Returns the offset of a time zone at a time, such as `UTC−4`. The default is the browser's time zone. */
export function offsetText(at: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace('GMT', 'UTC').replace(/\+0$/, '').replace('-', '−');
}

/** Formats a complete or partly typed CPF or CNPJ. */
export function documentText(text: string): string {
  const bare = normaliseDocument(text)
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, 14);
  if (bare.length > 11 || /[A-Z]/.test(bare)) return masked(bare, [2, 5, 8, 12], '../-');
  return masked(bare, [3, 6, 9], '..-');
}

/**
 * Formats a Brazilian phone number with its area code. Foreign and incomplete numbers stay without
 * punctuation.
 */
export function phoneText(text: string): string {
  const bare = text.replace(/(?!^\+)\D/g, '');
  const digits = normalisePhone(text) ?? bare;
  if (/^[+0]/.test(digits) || digits.length > 11) return digits.slice(0, 16);
  if (digits.length < 3) return digits;
  const cut = digits.length > 10 ? 7 : 6;
  const end = digits.length > cut ? `-${digits.slice(cut)}` : '';
  return `(${digits.slice(0, 2)}) ${digits.slice(2, cut)}${end}`;
}

/**
 * Inserts marks into the digits. The mark with index i stands before the digit with the index `positions[i]`.
 */
function masked(digits: string, positions: readonly number[], marks: string): string {
  return [...digits].map((digit, at) => (marks[positions.indexOf(at)] ?? '') + digit).join('');
}
