import type { Truth } from '@plataforma/testing';
import { type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type PaidCard = { id: string; environment: string; amount: number; status: string; is_open: boolean };

/**
 * `is_open` is true while an approved payment waits for a repeat of its request or is being returned. It is
 * also true while an ended attempt is still checked for a late payment.
 */
const CARDS = `
  SELECT id, environment, amount_cents AS amount, status,
    (status = 'PENDING' AND acquirer_id IS NOT NULL) OR is_watched AS is_open
  FROM charges WHERE payment_method = 'CARD'`;

const wasPaid = ({ status }: { status: string }) => ['PAID', 'REFUNDED', 'DISPUTED'].includes(status);

/**
 * Invariant 2, at the acquirer. Checks that each paid card charge has debited its card once. A charge that is
 * not paid may have debited a card only while the charge is in progress.
 */
export async function checkCards({ databases, truth }: Evidence): Promise<Finding[]> {
  return compare(truth.cardCharges, await rowsOf<PaidCard>(databases.charges, CARDS));
}

function compare(cardCharges: Truth['cardCharges'], cards: readonly PaidCard[]): Finding[] {
  const taken = cardCharges.filter(({ status }) => status === 'paid' || status === 'chargedback');
  const givenBack = cardCharges.filter(({ status }) => status === 'canceled');
  const byCode = Map.groupBy([...taken, ...givenBack], ({ code }) => code);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const unpaid = taken.flatMap(({ code }) => {
    const card = byId.get(code);
    if (card && (wasPaid(card) || card.is_open)) return [];
    return [lost(2, `the card of ${code} was charged, and the charge is ${card?.status ?? 'not there'}`)];
  });
  const paid = cards.filter(wasPaid).flatMap(({ id, amount, environment }) => {
    const [one, ...others] = byCode.get(id) ?? [];
    if (!one) return [violation(2, `charge ${id} is paid, and its card was never charged`)];
    if (others.length > 0)
      return [doubled(2, `the card of charge ${id} was charged ${others.length + 1} times`)];
    if (one.amount === amount && one.clientId === environment) return [];
    return [violation(2, `charge ${id} of ${amount} in ${environment} is ${JSON.stringify(one)}`)];
  });
  return [...unpaid, ...paid];
}
