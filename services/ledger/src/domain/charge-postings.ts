import type { FactOf } from './fact.ts';
import { type Posting, type PostingContext, postingWith } from './posting.ts';
import type { Receivable } from './receivable.ts';

const nameOf = { PIX: 'Pix', CARD: 'Card' } as const;

export function chargeName({ method, externalId }: { method: 'PIX' | 'CARD'; externalId: string }): string {
  return `${nameOf[method]} charge ${externalId}`;
}

/**
 * Posts the gross amount and the fee of a charge. Money that is not available at once is posted to `pending`,
 * and a receivable records the time of its settlement.
 */
export function chargePaid(fact: FactOf<'charge_paid'>): Posting {
  const { method, amount, fee, reference, settlesAt } = fact;
  if (fee < 0 || fee > amount) throw new RangeError('a fee is part of the amount it is taken from');
  const row = { method, chargeId: reference };
  const receivable = receivableOf(fact);
  return postingWith({
    lines: [
      { account: `clearing:${method}`, amount: -amount },
      { account: `${settlesAt === null ? 'available' : 'pending'}:${method}`, amount: amount - fee },
      { account: 'fees', amount: fee },
    ],
    rows: [
      { ...row, type: 'CREDIT', amount, description: chargeName(fact) },
      { ...row, type: 'FEE', amount: -fee, description: `Fee of ${chargeName(fact)}` },
    ],
    earned: amount,
    ...(receivable ? { receivable } : {}),
  });
}

function receivableOf(fact: FactOf<'charge_paid'>): Receivable | undefined {
  const { merchantId, environment, method, reference, settlesAt } = fact;
  const amount = fact.amount - fact.fee;
  if (settlesAt === null || amount === 0) return undefined;
  const money = { method, amount, remaining: amount, settlesAt };
  return { merchantId, environment, chargeId: reference, ...money, dueReference: reference };
}

/**
 * Moves the remaining amount of a receivable from pending to available money. Returns null if nothing
 * remains.
 */
export function receivableDue(
  _fact: FactOf<'receivable_due'>,
  { receivable }: PostingContext,
): Posting | null {
  if (!receivable || receivable.remaining === 0) return null;
  const { method, remaining } = receivable;
  return postingWith({
    lines: [
      { account: `pending:${method}`, amount: -remaining },
      { account: `available:${method}`, amount: remaining },
    ],
    receivable: { ...receivable, remaining: 0 },
  });
}
