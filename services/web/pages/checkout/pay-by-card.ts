import { normaliseDocument } from '@plataforma/kernel/documents';
import { expiryOf } from './card-expiry.ts';
import { type CardText, digitsOf } from './card-fields.ts';
import type { Visit } from './state.ts';

/** The result of a payment attempt. After `unknown`, the page of the visit shows the outcome. */
export type Tried =
  | { end: 'paid' | 'unknown' | 'notRead' | 'notReached' }
  | { end: 'declined'; reason: string }
  | { end: 'refused'; code: string };

const TIMEOUT_MS = 40_000;

/**
 * Sends the card's data to the tokenizer, and only the card's token to this service. The tokenizer's address
 * and messages are those of Pagar.me's `POST /core/v5/tokens`.
 */
export async function payByCard(visit: Visit, card: CardText, installments: number): Promise<Tried> {
  const cardToken = await tokenOf(visit, card);
  if (cardToken === null) return { end: 'notReached' };
  if (cardToken === '') return { end: 'notRead' };
  const document = normaliseDocument(card.document);
  const holder = document === '' ? {} : { payerName: card.holder.trim(), payerDocument: document };
  const answer = await send(`/pay/c/${visit.id}/card`, { cardToken, installments, ...holder }, OURS);
  if (!answer) return { end: 'unknown' };
  if (answer.ok) return { end: 'paid' };
  const { code = '', reason = '' } = (await answer.json().catch(() => null))?.error ?? {};
  if (code === 'CARD_DECLINED') return { end: 'declined', reason };
  return code === '' || answer.status >= 500 ? { end: 'unknown' } : { end: 'refused', code };
}

const OURS = { 'x-requested-with': 'plataforma' };

/**
 * Returns the card's token. Returns an empty text when the tokenizer refuses the card, and null when the
 * tokenizer can't be reached.
 */
async function tokenOf({ card: settings }: Visit, card: CardText): Promise<string | null> {
  if (!settings) return null;
  const expiry = expiryOf(card.expiry);
  const answer = await send(`${settings.tokenizeUrl}?appId=${encodeURIComponent(settings.publicKey)}`, {
    type: 'card',
    card: {
      number: digitsOf(card.number),
      holder_name: card.holder.trim(),
      exp_month: expiry?.month,
      exp_year: expiry?.year,
      cvv: card.cvv,
    },
  });
  if (!answer || answer.status >= 500) return null;
  const { id } = await answer.json().catch(() => ({}));
  return answer.ok && typeof id === 'string' ? id : '';
}

async function send(url: string, body: object, headers = {}): Promise<Response | null> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
}
