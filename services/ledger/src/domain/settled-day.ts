import { addDays, dayOf, startOfDay, type Tenant } from '@plataforma/kernel';
import type { PostedEntry } from './books.ts';
import type { Method } from './wallet.ts';

/** A day in São Paulo on which receivables of one payment method were due and settled. */
export interface SettledDay extends Tenant {
  method: Method;
  date: string;
  startsAt: Date;
  endsAt: Date;
}

export const ZONE = 'America/Sao_Paulo';

/**
 * Returns the due days of the settled receivables, without duplicates. The due day counts, even if the
 * settlement is posted later.
 */
export function settledDaysOf(entries: readonly PostedEntry[]): SettledDay[] {
  const days = entries.flatMap(({ kind, receivable }): SettledDay[] => {
    if (kind !== 'receivable_due' || !receivable) return [];
    const { merchantId, environment, method, settlesAt } = receivable;
    const date = dayOf(new Date(settlesAt), ZONE);
    const [startsAt, endsAt] = [date, addDays(date, 1)].map((each) => startOfDay(each, ZONE));
    return startsAt && endsAt ? [{ merchantId, environment, method, date, startsAt, endsAt }] : [];
  });
  const keyOf = ({ merchantId, environment, method, date }: SettledDay) =>
    [merchantId, environment, method, date].join(' ');
  return [...new Map(days.map((day) => [keyOf(day), day])).values()];
}
