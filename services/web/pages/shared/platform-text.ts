import { platformTexts } from '@plataforma/contracts/value-words';
import { catalogue, useWords } from './language.ts';

const texts = catalogue(platformTexts['pt-BR'], platformTexts.en);

/** Returns a function that translates a text of the platform; one of people stays. */
export function usePlatformText(): (text: string | null) => string | null {
  const words = new Map(Object.entries<string>(useWords(texts)));
  return (text) => words.get(text ?? '') ?? text;
}
