import type { Database } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { type CardCharge, isLate, newCardCharge } from '../domain/card-charge.ts';
import { CardProblem } from '../domain/card-problem.ts';
import { appendCardCharge, findCardChargeByKey } from '../store/card-charges.ts';
import { useCardToken } from '../store/card-tokens.ts';
import { firstOrNew } from '../store/first-or-new.ts';

interface CreateCardOrder {
  clientId: string;
  code: string;
  amount: Cents;
  installments: number;
  cardToken: string;
  /**
   * The idempotency key of the request; null without a key. A later request with the same key gets the order
   * of the first request, even if other fields differ.
   */
  idempotencyKey: string | null;
  now: Date;
  /** Milliseconds until the charge ends, for a test card whose result comes later. */
  delayMs: number;
}

interface CreatedCardOrder {
  charge: CardCharge;
  /**
   * True if this request gets no answer, because it is the first with a test card whose result comes later. A
   * repeated request gets an answer.
   */
  isSilent: boolean;
}

/** Charges the card to which the token belongs. Each token can be used only once. */
export function createCardOrder(database: Database, order: CreateCardOrder): Promise<CreatedCardOrder> {
  const { cardToken, now: createdAt, delayMs, ...fields } = order;
  const { clientId, idempotencyKey } = fields;

  async function find(): Promise<CreatedCardOrder | undefined> {
    if (idempotencyKey === null) return undefined;
    const charge = await findCardChargeByKey(database, clientId, idempotencyKey);
    return charge && { charge, isSilent: false };
  }

  function make(): Promise<CreatedCardOrder> {
    return database.transaction(async (tx) => {
      const card = await useCardToken(tx, { id: cardToken, clientId, now: createdAt });
      if (!card) throw new CardProblem('invalid', 'token not found');
      const charge = newCardCharge({ ...fields, card, createdAt });
      await appendCardCharge(tx, charge, delayMs);
      return { charge, isSilent: isLate(card) };
    });
  }

  return firstOrNew(find, make);
}
