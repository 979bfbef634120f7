import type { VolumeView } from '@plataforma/contracts';
import { addDays, dayOf, type TimeZone } from '@plataforma/kernel/time-zones';

export interface DayOfSales {
  day: string;
  gross: number;
  paid: number;
}

type Volume = Pick<VolumeView, 'startsAt' | 'grossAmount' | 'count'>;

interface Days {
  startDate: string;
  days: number;
  timeZone: TimeZone;
}

/** Returns the sales of each day, with all payment methods added up. The API omits days without a payment. */
export function salesByDay(volumes: readonly Volume[], { startDate, days, timeZone }: Days): DayOfSales[] {
  const sales = Array.from({ length: days }, (_, at) => ({ day: addDays(startDate, at), gross: 0, paid: 0 }));
  for (const { startsAt, grossAmount, count } of volumes) {
    const own = dayOf(new Date(startsAt), timeZone);
    const on = sales.find(({ day }) => day === own);
    if (!on) continue;
    on.gross += grossAmount;
    on.paid += count;
  }
  return sales;
}

type Attempts = Pick<VolumeView, 'paymentMethod' | 'count' | 'declinedCount'>;

/** Returns the share of card payments that were approved, or null when no card was used. */
export function approvalOf(volumes: readonly Attempts[]): number | null {
  const cards = volumes.filter(({ paymentMethod }) => paymentMethod === 'CARD');
  const paid = cards.reduce((sum, { count }) => sum + count, 0);
  const all = cards.reduce((sum, { declinedCount }) => sum + declinedCount, paid);
  return all === 0 ? null : paid / all;
}
