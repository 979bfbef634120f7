import type { Language, Visit } from './state.ts';
import { refusalIn } from './words.ts';

const ENDED: readonly Visit['state'][] = ['PAID', 'REFUNDED', 'DISPUTED'];

/**
 * What a page says above the visit; empty for nothing. The visit goes before the code of a refusal, which may be older
 * than it: while it pays or has paid, nothing of an attempt is unknown that the page does not say itself.
 */
export function alertOf({ state }: Visit, refused: string, language: Language): string {
  if (refused === '' || ENDED.includes(state)) return '';
  const saysItself = state === 'PROCESSING' || state === 'PIX';
  return refused === 'PROVIDER_UNAVAILABLE' && saysItself ? '' : refusalIn(refused, language);
}
