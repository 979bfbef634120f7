import { dayIn, daysAgo } from '../../shared/format.ts';

export interface DayOfSales {
  day: string;
  gross: number;
  paid: number;
}

interface Volume {
  startsAt: string;
  grossAmount: number;
  count: number;
}

/** All methods of a day together; the API leaves out days on which nothing was paid. */
export function salesByDay(volumes: readonly Volume[], days: number, now: number): DayOfSales[] {
  return Array.from({ length: days }, (_, at) => {
    const day = daysAgo(days - 1 - at, now);
    const own = volumes.filter(({ startsAt }) => dayIn(new Date(startsAt)) === day);
    const gross = own.reduce((sum, { grossAmount }) => sum + grossAmount, 0);
    return { day, gross, paid: own.reduce((sum, { count }) => sum + count, 0) };
  });
}

interface Attempts {
  paymentMethod: string;
  count: number;
  declinedCount: number;
}

/** Of all attempts with a card, those that paid; null where there was none. */
export function approvalOf(volumes: readonly Attempts[]): number | null {
  const cards = volumes.filter(({ paymentMethod }) => paymentMethod === 'CARD');
  const paid = cards.reduce((sum, { count }) => sum + count, 0);
  const all = cards.reduce((sum, { declinedCount }) => sum + declinedCount, paid);
  return all === 0 ? null : paid / all;
}
