import { useWords } from '../../shared/language.ts';
import { reasonWords } from '../charge/step-words.ts';

/** The words of a reason that we know; a provider's own as it is, a code of its without its underscores. */
export function useReasonText(): (reason: string) => string {
  const known: Readonly<Record<string, string>> = useWords(reasonWords);
  return (reason) => capital(known[reason] ?? spoken(reason));
}

function spoken(reason: string): string {
  return /^[A-Z_]+$/.test(reason) ? reason.replaceAll('_', ' ').toLowerCase() : reason;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
