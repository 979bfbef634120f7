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
  /** A repeated key returns the first order, whatever its other fields are. */
  idempotencyKey: string | null;
  now: Date;
  /** The time until a late card's charge ends. */
  delayMs: number;
}

interface CreatedCardOrder {
  charge: CardCharge;
  /** True for a late card's first request, which gets no answer; a repeated request gets one. */
  isSilent: boolean;
}

/** Charges the card of a token and uses the token up. */
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
