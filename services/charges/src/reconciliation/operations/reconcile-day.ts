import { type Environment, Refusal, startOfDay } from '@plataforma/kernel';
import { addTo, type Difference, differencesOf, noTotals, type Totals } from '../domain/reconciliation.ts';
import { type CompareDay, compareDay } from '../steps/compare-day.ts';

export interface Reconciliation {
  payments: number;
  totals: Totals;
  differenceCount: number;
  /** The first thousand. */
  differences: Difference[];
}

const MOST_DIFFERENCES = 1000;

/** Compares every payment of a UTC day at its provider, here and in the books, with what has become of it since. */
export async function reconcileDay(
  parts: CompareDay,
  { date, environment }: { date: string; environment: Environment },
): Promise<Reconciliation> {
  if (startOfDay(date, 'UTC') > parts.clock())
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'date: must not be in the future');
  const result: Reconciliation = { payments: 0, totals: noTotals(), differenceCount: 0, differences: [] };
  for await (const compared of compareDay(parts, { date, environment })) {
    result.payments += compared.length;
    for (const payment of compared) {
      addTo(result.totals, payment);
      const differences = differencesOf(payment);
      result.differenceCount += differences.length;
      result.differences.push(...differences.slice(0, MOST_DIFFERENCES - result.differences.length));
    }
  }
  return result;
}
