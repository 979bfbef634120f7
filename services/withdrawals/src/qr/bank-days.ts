const DAY_MS = 86_400_000;
/** Brasília, by which Pix counts days; there has been no summer time since 2019. */
const OFFSET_MS = 3 * 3_600_000;

/** Month and day on which no bank in Brazil opens, whatever the year. */
const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'];
/** Days from Easter: Carnival, Good Friday, Corpus Christi. */
const MOVABLE = [-48, -47, -2, 60];

/**
 * The instant after the last day on which a charge can be paid (API Pix 2.9.0, CobDataDeVencimento): a due day without
 * banks moves to the next with, and so does the last of the days that follow it. Days are counted at midnight UTC here.
 */
export function endOfPayment(dueDay: Date, daysAfter: number): Date {
  const last = nextBankDay(nextBankDay(dueDay.getTime()) + daysAfter * DAY_MS);
  return new Date(last + DAY_MS + OFFSET_MS);
}

function nextBankDay(day: number): number {
  let next = day;
  while (isClosed(new Date(next))) next += DAY_MS;
  return next;
}

function isClosed(day: Date): boolean {
  const isWeekend = day.getUTCDay() % 6 === 0;
  if (isWeekend || FIXED.includes(day.toISOString().slice(5, 10))) return true;
  return MOVABLE.includes((day.getTime() - easterOf(day.getUTCFullYear())) / DAY_MS);
}

/** The Gregorian computus in the form of Oudin (1940). */
function easterOf(year: number): number {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leaps = Math.floor(century / 4) + Math.floor((century - Math.floor((century - 17) / 25)) / 3);
  const epact = (century - leaps + 19 * golden + 15) % 30;
  const moon =
    epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  const fromMarch = moon - weekday;
  const month = 3 + Math.floor((fromMarch + 40) / 44);
  return Date.UTC(year, month - 1, fromMarch + 28 - 31 * Math.floor(month / 4));
}
