import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { cardCallback } from '../domain/callback.ts';
import { refundCardCharge } from '../domain/card-charge.ts';
import { CardProblem } from '../domain/card-problem.ts';
import { cardChargeOf } from '../domain/card-view.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockCardCharge, saveCardCharge } from '../store/card-charges.ts';
import { appendCardRefund, findRefundAnswer } from '../store/card-refunds.ts';
import { firstOrNew } from '../store/first-or-new.ts';

interface RefundCard {
  clientId: string;
  chargeId: string;
  /** The amount to refund; undefined for the amount of the charge that is not refunded yet. */
  amount: Cents | undefined;
  /** The key of the request, or null. A request with a repeated key returns the first refund's answer. */
  idempotencyKey: string | null;
  now: Date;
}

/** Refunds a card charge, and returns the JSON of the charge after the refund. */
export function refundCard(database: Database, order: RefundCard): Promise<string> {
  const { clientId, chargeId, idempotencyKey, now } = order;

  async function find(): Promise<string | undefined> {
    return idempotencyKey === null ? undefined : findRefundAnswer(database, clientId, idempotencyKey);
  }

  function make(): Promise<string> {
    return database.transaction(async (tx) => {
      const charge = await lockCardCharge(tx, clientId, chargeId);
      if (!charge) throw new CardProblem('missing', 'Charge not found.');

      const refunded = refundCardCharge(charge, order.amount, now);
      const answer = JSON.stringify(cardChargeOf(refunded));
      const amount = refunded.canceledAmount - charge.canceledAmount;
      await saveCardCharge(tx, refunded);
      await appendCardRefund(tx, { clientId, chargeId, idempotencyKey, amount, answer, createdAt: now });
      await appendCallbacks(tx, [cardCallback('charge.refunded', refunded, now)]);
      return answer;
    });
  }

  return firstOrNew(find, make);
}
