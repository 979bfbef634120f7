import { platformTexts } from '@plataforma/contracts/value-words';
import { useWords } from './language.ts';

/** Returns a function that translates the platform's own texts. A text that a user wrote stays unchanged. */
export function usePlatformText(): (text: string | null) => string | null {
  const words = new Map(Object.entries<string>(useWords(platformTexts)));
  return (text) => words.get(text ?? '') ?? text;
}
