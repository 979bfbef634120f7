import type { Truth } from '@plataforma/testing';
import { type Evidence, rowsOf } from './evidence.ts';
import { doubled, type Finding, lost, violation } from './finding.ts';

type Recorded = {
  number: string;
  environment: string;
  amount: number;
  /** Of the charge it paid; null: it paid none, and goes back. */
  charge: string | null;
  /** Whether that charge says so, too. */
  is_known_to_charge: boolean;
};

const RECORDED = `
  SELECT p.end_to_end_id AS number, p.environment, p.amount_cents AS amount, p.charge_id AS charge,
    c.end_to_end_id = p.end_to_end_id AND c.amount_cents = p.amount_cents AS is_known_to_charge
  FROM payments p JOIN charges c ON c.id = p.charge_id
  UNION ALL
  SELECT end_to_end_id, environment, amount_cents, NULL, true FROM unexpected_payments`;

type PaidCard = { id: string; environment: string; amount: number; status: string; is_open: boolean };

/** Open: it waits to be collected by the next same order, or is being given back. */
const CARDS = `
  SELECT id, environment, amount_cents AS amount, status,
    (status = 'PENDING' AND acquirer_id IS NOT NULL) OR is_watched AS is_open
  FROM charges WHERE payment_method = 'CARD'`;

/**
 * 2, the bank's side. Every payment at the bank has paid one charge of exactly its amount, or stands among the
 * unexpected ones; nothing else did. A card was charged once for each charge that is paid, and for no other.
 */
export async function checkPayments({ databases, truth }: Evidence): Promise<Finding[]> {
  return [
    ...comparePix(truth.payments, await rowsOf<Recorded>(databases.charges, RECORDED)),
    ...compareCards(truth.cardCharges, await rowsOf<PaidCard>(databases.charges, CARDS)),
  ];
}

function comparePix(payments: Truth['payments'], recorded: readonly Recorded[]): Finding[] {
  const byNumber = Map.groupBy(recorded, ({ number }) => number);
  const known = new Set(payments.map(({ endToEndId }) => endToEndId));
  const invented = recorded
    .filter(({ number }) => !known.has(number))
    .map(({ number }) => violation(2, `payment ${number} is recorded, and the bank knows nothing of it`));
  const wrong = recorded
    .filter(({ is_known_to_charge }) => !is_known_to_charge)
    .map(({ number, charge }) =>
      violation(2, `payment ${number} paid charge ${charge}, which does not say so`),
    );
  return [
    ...invented,
    ...wrong,
    ...payments.flatMap((payment) => {
      const found = byNumber.get(payment.endToEndId) ?? [];
      const what = `payment ${payment.endToEndId} of ${payment.valor}`;
      if (found.length === 0) return [lost(2, `${what} is not recorded`)];
      if (found.length > 1) return [doubled(2, `${what} is recorded ${found.length} times`)];
      return found
        .filter(({ environment, amount }) => environment !== payment.clientId || amount !== payment.valor)
        .map((row) => violation(2, `${what} in ${payment.clientId} is recorded as ${JSON.stringify(row)}`));
    }),
  ];
}

const wasPaid = ({ status }: { status: string }) => ['PAID', 'REFUNDED', 'DISPUTED'].includes(status);

function compareCards(cardCharges: Truth['cardCharges'], cards: readonly PaidCard[]): Finding[] {
  const taken = cardCharges.filter(({ status }) => status === 'paid' || status === 'chargedback');
  const givenBack = cardCharges.filter(({ status }) => status === 'canceled');
  const byCode = Map.groupBy([...taken, ...givenBack], ({ code }) => code);
  const byId = new Map(cards.map((card) => [card.id, card]));
  const kept = taken.flatMap(({ code }) => {
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
  return [...kept, ...paid];
}
