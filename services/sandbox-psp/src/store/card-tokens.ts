import type { Queryable, Transaction } from '@plataforma/data';
import type { Card, CardToken } from '../domain/card-token.ts';
import type { CardOutcome } from '../domain/test-card.ts';

export interface CardRow {
  card_id: string;
  brand: string;
  first_six: string;
  last_four: string;
  outcome: CardOutcome;
}

const APPEND = `
  INSERT INTO card_tokens
    (token_id, client_id, card_id, brand, first_six, last_four, outcome, created_at, ends_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export async function appendCardToken(db: Queryable, { card, ...token }: CardToken): Promise<void> {
  await db.query(APPEND, [
    token.id,
    token.clientId,
    card.id,
    card.brand,
    card.firstSix,
    card.lastFour,
    card.outcome,
    token.createdAt,
    token.endsAt,
  ]);
}

const USE = `
  UPDATE card_tokens SET used_at = $3
  WHERE token_id = $1 AND client_id = $2 AND used_at IS NULL AND ends_at > $3
  RETURNING card_id, brand, first_six, last_four, outcome`;

/** The card behind a token of the client, which nobody gets again; undefined when it is used, over or unknown. */
export async function useCardToken(
  tx: Transaction,
  { id, clientId, now }: { id: string; clientId: string; now: Date },
): Promise<Card | undefined> {
  const [row] = await tx.query<CardRow>(USE, [id, clientId, now]);
  return row && cardOf(row);
}

export function cardOf(row: CardRow): Card {
  return {
    id: row.card_id,
    brand: row.brand,
    firstSix: row.first_six,
    lastFour: row.last_four,
    outcome: row.outcome,
  };
}
