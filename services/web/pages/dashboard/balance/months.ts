import type { Language } from '../../shared/language.ts';

/** The money that settles or has settled on one day. */
export interface Day {
  date: string;
  count: number;
  amount: number;
  isSettled: boolean;
}

const DAY_MS = 86_400_000;
const WEEK = 7;

/** Returns the month that is `months` months after `month`: for `2026-12` and 1, `2027-01`. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 15)).toISOString().slice(0, 7);
}

/** Returns the days of a month as whole weeks that begin on Sunday. */
export function weeksOf(month: string): string[][] {
  const first = new Date(`${month}-01T12:00:00Z`);
  const days = Math.round(
    (new Date(`${monthAfter(month, 1)}-01T12:00:00Z`).getTime() - first.getTime()) / DAY_MS,
  );
  const before = first.getUTCDay();
  const weeks = Math.ceil((before + days) / WEEK);
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: WEEK }, (_day, day) => dayAt(first, week * WEEK + day - before)),
  );
}

function dayAt(first: Date, days: number): string {
  return new Date(first.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Formats a month as `novembro de 2026`. */
export function monthText(month: string, language: Language): string {
  const format = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(language, format).format(new Date(`${month}-15T12:00:00Z`));
}
