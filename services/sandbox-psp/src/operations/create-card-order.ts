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
  /** With the same key it is the same order, whatever else is asked. */
  idempotencyKey: string | null;
  now: Date;
  /** How long a card that makes one wait does. */
  delayMs: number;
}

interface CreatedCardOrder {
  charge: CardCharge;
  /** Some cards make an order and never answer; asked again, they do. */
  isSilent: boolean;
}

/** Charges the card behind a token, which is used up by it. */
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
