import { addDays, dayOf, startOfDay, type Tenant } from '@plataforma/kernel';
import type { PostedEntry } from './books.ts';
import { type Method, methods } from './wallet.ts';

/** A day of São Paulo on which receivables of one payment method settled. */
export interface SettledDay extends Tenant {
  method: Method;
  date: string;
  startsAt: Date;
  endsAt: Date;
}

const ZONE = 'America/Sao_Paulo';

/** The days on which entries settled receivables, each once. */
export function settledDaysOf(entries: readonly PostedEntry[]): SettledDay[] {
  const days = entries
    .filter(({ kind }) => kind === 'receivable_due')
    .flatMap(({ merchantId, environment, createdAt, lines }) => {
      const date = dayOf(new Date(createdAt), ZONE);
      const [startsAt, endsAt] = [startOfDay(date, ZONE), startOfDay(addDays(date, 1), ZONE)];
      return methods
        .filter((method) => lines.some(({ account }) => account === `available:${method}`))
        .map((method): SettledDay => ({ merchantId, environment, method, date, startsAt, endsAt }));
    });
  const keyOf = ({ merchantId, environment, method, date }: SettledDay) =>
    [merchantId, environment, method, date].join(' ');
  return [...new Map(days.map((day) => [keyOf(day), day])).values()];
}
