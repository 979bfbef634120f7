import { money } from '../shared/format.ts';
import type { Words } from './words.ts';

export function installmentsText(its: Words, each: { count: number; amount: number; first: number }): string {
  const { count, amount, first } = each;
  if (amount === first) return its.equal(count, money(amount));
  return its.unequal(count, money(first), money(amount));
}
