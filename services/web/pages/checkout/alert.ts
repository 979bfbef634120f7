import { declineIn } from './decline-words.ts';
import type { Language, Visit } from './state.ts';
import { refusalIn } from './words.ts';

const ENDED: readonly Visit['state'][] = ['PAID', 'REFUNDED', 'DISPUTED'];

/**
 * What a page says above the visit; empty for nothing. The visit goes before the code of a refusal, which may be older
 * than it: while it pays or has paid, nothing of an attempt is unknown that the page does not say itself. Of a card that
 * was declined it says why, also where the answer came after the buyer had stopped waiting.
 */
export function alertOf(visit: Visit, refused: string, language: Language): string {
  const { state, declineReason, cardTriesLeft } = visit;
  if (ENDED.includes(state)) return '';
  const isKnown = declineReason !== null || state === 'PROCESSING' || state === 'PIX';
  const code = refused === 'PROVIDER_UNAVAILABLE' && isKnown ? '' : refused;
  if (code !== '') return refusalIn(code, language);
  if (declineReason === null) return '';
  return cardTriesLeft > 0 ? declineIn(declineReason, language) : refusalIn('CARD_TRIES_USED', language);
}
