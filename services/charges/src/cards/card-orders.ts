import type { Gate, ProviderExchange } from '@plataforma/http';
import { z } from 'zod';
import { uselessToken } from '../domain/card.ts';
import type { CardOutcome } from '../domain/card-outcome.ts';
import { unusable } from './acquirer-http.ts';
import { type CardOrder, cardOrderBody } from './card-order.ts';
import { acquirerCharge, type RawCharge } from './charge-fields.ts';
import { declineReasonOf } from './decline-reasons.ts';

const rawOrder = z.object({
  code: z.string().nullish(),
  status: z.string(),
  charges: z.array(acquirerCharge),
});
const orders = z.object({ data: z.array(rawOrder) });
const problem = z.object({ message: z.unknown().optional(), errors: z.unknown().optional() });

type RawOrder = z.infer<typeof rawOrder>;

/**
 * Statuses of the acquirer's charges and transactions (docs.pagar.me, "Cobrança"). An unknown status counts
 * as undecided.
 */
const states = new Map<string, CardOutcome['state']>([
  ['paid', 'approved'],
  ['captured', 'approved'],
  // A charged-back order was paid before. The chargeback is read from the charge, not from the order.
  ['chargedback', 'approved'],
  ['failed', 'declined'],
  ['not_authorized', 'declined'],
  ['with_error', 'declined'],
  ['canceled', 'declined'],
  ['voided', 'declined'],
]);

const byCertainty = ['approved', 'processing', 'declined'] as const;

/** Creates and finds orders (`/orders`), each with one charge of one card. */
export function createCardOrders(http: ProviderExchange) {
  async function find(chargeId: string): Promise<CardOutcome | null> {
    const path = `/orders?${new URLSearchParams({ code: chargeId })}`;
    const answer = await http({ method: 'GET', path });
    if (answer.status !== 200) throw unusable(`answered ${answer.status} when asked for an order`);
    const result = orders.safeParse(answer.body);
    if (!result.success) throw unusable('answered orders of an unknown shape');
    const outcomes = result.data.data.filter(({ code }) => code === chargeId).map(outcomeOf);
    return (
      byCertainty.flatMap((state) => outcomes.find((outcome) => outcome.state === state) ?? [])[0] ?? null
    );
  }

  return {
    find,
    async pay(order: CardOrder, gate: Gate): Promise<CardOutcome> {
      const answer = await http({
        method: 'POST',
        path: '/orders',
        headers: { 'idempotency-key': order.id },
        body: cardOrderBody(order),
        gate,
      });
      if (answer.status === 200 || answer.status === 201) return read(answer.body, order.id);
      if (answer.status !== 422 || !isAboutToken(answer.body)) {
        throw unusable(`answered ${answer.status} when asked to charge a card`);
      }
      // A token works only once. An earlier attempt whose answer was lost may have paid with this token.
      const existing = await find(order.id);
      if (existing) return existing;
      throw uselessToken();
    },
  };
}

function isAboutToken(body: unknown): boolean {
  const { message, errors } = problem.safeParse(body).data ?? {};
  return /token/i.test(JSON.stringify([message, errors]));
}

function read(body: unknown, id: string): CardOutcome {
  const result = rawOrder.safeParse(body);
  if (!result.success) throw unusable('answered an order of an unknown shape');
  if ((result.data.code ?? id) !== id) throw unusable('answered another order than the one asked for');
  return outcomeOf(result.data);
}

function outcomeOf({ status, charges: [charge] }: RawOrder): CardOutcome {
  const transaction = charge?.last_transaction;
  const state = states.get(charge?.status ?? status) ?? 'processing';
  if (state === 'processing') return { state };
  if (state === 'declined') return { state, reason: reasonOf(transaction) };
  if (!charge) throw unusable('answered a paid order without its charge');
  const { brand, last_four_digits: lastDigits } = transaction?.card ?? {};
  const card = { brand: brand ?? 'unknown', lastDigits: lastDigits ?? '' };
  const nsu = transaction?.acquirer_nsu ?? null;
  const authorizationCode = transaction?.acquirer_auth_code ?? null;
  return { state, acquirerId: charge.id, ...card, nsu, authorizationCode, amount: charge.amount };
}

function reasonOf(transaction: RawCharge['last_transaction']): string {
  if (transaction?.antifraud_response?.status === 'reproved') return 'suspected_fraud';
  return declineReasonOf(transaction?.acquirer_return_code ?? '');
}
