import { addDays } from './time-zones.ts';

/**
 * Holidays on which Brazil's banks settle nothing: national holidays and those of the Central Bank. The laws
 * are 662/1949, 6.802/1980, 10.607/2002 and, since 2024, 14.759/2023. Resolution CMN 4.880/2020 adds
 * Carnival's Monday and Tuesday, Good Friday and Corpus Christi.
 */
const fixed = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'];
const AWARENESS = { day: '11-20', since: 2024 };
/** Movable holidays, as days from Easter Sunday. */
const movable = [-48, -47, -2, 60];

const byYear = new Map<number, ReadonlySet<string>>();

/** Returns whether banks in Brazil settle on this day (YYYY-MM-DD). Ignores holidays of a state or a city. */
export function isBankDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidaysOf(Number(day.slice(0, 4))).has(day);
}

/** Returns the bank day that is `count` bank days after a day; `count` is 1 or more. */
export function addBankDays(day: string, count: number): string {
  let next = day;
  for (let left = count; left > 0; left -= isBankDay(next) ? 1 : 0) next = addDays(next, 1);
  return next;
}

function holidaysOf(year: number): ReadonlySet<string> {
  const cached = byYear.get(year);
  if (cached) return cached;
  const days = year >= AWARENESS.since ? [...fixed, AWARENESS.day] : fixed;
  const easter = easterOf(year);
  const holidays = new Set([
    ...days.map((day) => `${year}-${day}`),
    ...movable.map((distance) => addDays(easter, distance)),
  ]);
  byYear.set(year, holidays);
  return holidays;
}

/** Returns Easter Sunday of the Gregorian calendar (Meeus, Astronomical Algorithms, chapter 8). */
function easterOf(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
