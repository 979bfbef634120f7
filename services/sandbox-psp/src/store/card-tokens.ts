import type { Queryable, Transaction } from '@plataforma/data';
import type { Card, CardToken } from '../domain/card-token.ts';
import { readObjects, tableOf } from './table.ts';

const cardTokens = tableOf<CardToken>('card_tokens', {
  key: 'token_id AS id',
  columns: `
    client_id, card_id AS card.id, brand AS card.brand, first_six AS card.firstSix,
    last_four AS card.lastFour, outcome AS card.outcome, created_at, ends_at`,
});

export async function appendCardToken(db: Queryable, token: CardToken): Promise<void> {
  await cardTokens.insert(db, token);
}

const USE = `
  UPDATE card_tokens SET used_at = $3
  WHERE token_id = $1 AND client_id = $2 AND used_at IS NULL AND ends_at > $3
  RETURNING ${cardTokens.selected()}`;

/**
 * Marks a client's token as used and returns its card. Returns undefined if the token is unknown, expired or
 * already used.
 */
export async function useCardToken(
  tx: Transaction,
  { id, clientId, now }: { id: string; clientId: string; now: Date },
): Promise<Card | undefined> {
  return (await readObjects<CardToken>(tx, USE, [id, clientId, now]))[0]?.card;
}

const DELETE_EXPIRED = `
  DELETE FROM card_tokens WHERE token_id IN (SELECT token_id FROM card_tokens WHERE ends_at <= $1 LIMIT $2)
  RETURNING 1`;

/**
 * Deletes at most `limit` expired tokens, and returns their number. Orders refuse a deleted token like an
 * expired one.
 */
export async function deleteExpiredTokens(db: Queryable, now: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_EXPIRED, [now, limit])).length;
}
