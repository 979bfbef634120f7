import { randomText } from './random-text.ts';
import type { TestCard } from './test-card.ts';

export type Card = TestCard & { id: string };

/**
 * A token for one charge of a card. A browser may have the token, because the token does not reveal the card
 * number.
 */
export interface CardToken {
  id: string;
  clientId: string;
  card: Card;
  createdAt: Date;
  endsAt: Date;
}

const LIFETIME_MS = 10 * 60_000;
const ID_LENGTH = 16;

export function newCardToken(testCard: TestCard, clientId: string, now: Date): CardToken {
  return {
    id: newCardApiId('token'),
    clientId,
    card: { ...testCard, id: newCardApiId('card') },
    createdAt: now,
    endsAt: new Date(now.getTime() + LIFETIME_MS),
  };
}

/** Returns a new random id that begins with the prefix, such as `ch_0aB…`. */
export function newCardApiId(prefix: 'token' | 'card' | 'or' | 'ch' | 'tran' | 'hook'): string {
  return `${prefix}_${randomText(ID_LENGTH)}`;
}
