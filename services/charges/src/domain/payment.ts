import type { Cents } from '@plataforma/kernel';
import { type Charge, statusAfter } from './charge.ts';

/** A Pix that arrived, as the provider tells of it. */
export interface Payment {
  endToEndId: string;
  amount: Cents;
  paidAt: Date;
}

/** What the payments that are news mean for a charge. */
export interface Settlement {
  /** The one that pays it. */
  paidBy: Payment | null;
  /**
   * Money that came all the same: late, a second time, or of another amount. Never dropped, never credited.
   */
  unexpected: Payment[];
}

/**
 * A pending charge is paid by the first payment of exactly its amount; everything else is unexpected.
 * Payments that are recorded already, or told of twice in one answer, are no news.
 */
export function settle(
  charge: Pick<Charge, 'status' | 'amount'>,
  payments: readonly Payment[],
  recorded: ReadonlySet<string>,
): Settlement {
  const told = new Map(payments.map((payment) => [payment.endToEndId, payment]));
  const news = [...told.values()].filter(({ endToEndId }) => !recorded.has(endToEndId));
  const canBePaid = statusAfter(charge.status, 'pay') !== null;
  const paidBy = canBePaid ? (news.find(({ amount }) => amount === charge.amount) ?? null) : null;
  return { paidBy, unexpected: news.filter((payment) => payment !== paidBy) };
}
