import type { Database } from '@plataforma/data';
import { CardProblem } from '../domain/card-problem.ts';
import { type CardToken, newCardToken } from '../domain/card-token.ts';
import { isExpired, testCardOf } from '../domain/test-card.ts';
import { appendCardToken } from '../store/card-tokens.ts';

interface TokenizeCard {
  clientId: string;
  number: string;
  expiry: { month: number; year: number };
  now: Date;
}

/** Creates a token of a test card. The card number is neither stored nor sent to another system. */
export async function tokenizeCard(
  database: Database,
  { clientId, number, expiry, now }: TokenizeCard,
): Promise<CardToken> {
  const card = testCardOf(number);
  if (!card) throw invalid('card.number', 'The number is not valid here: only test cards are accepted.');
  if (isExpired(expiry, now)) throw invalid('card.exp_year', 'The card has expired.');

  const token = newCardToken(card, clientId, now);
  await appendCardToken(database, token);
  return token;
}

function invalid(field: string, complaint: string): CardProblem {
  return new CardProblem('invalid', 'The request is invalid.', { [field]: [complaint] });
}
