import { catalogue, useWords } from '../../shared/language.ts';

/** The lifetimes of a Pix code that the form offers, in seconds. */
export const lifetimes = [
  { seconds: 900, word: 'quarter' },
  { seconds: 3_600, word: 'hour' },
  { seconds: 86_400, word: 'day' },
  { seconds: 604_800, word: 'week' },
  { seconds: 2_592_000, word: 'month' },
] as const;

export const lifeWords = catalogue({
  quarter: ['15 minutos', '15 minutes'],
  hour: ['1 hora', '1 hour'],
  day: ['24 horas', '24 hours'],
  week: ['7 dias', '7 days'],
  month: ['30 dias', '30 days'],
  minutes: ['{minutes} min', '{minutes} min'],
});

export function useLifetimes(): { value: string; label: string }[] {
  const words = useWords(lifeWords);
  return lifetimes.map(({ seconds, word }) => ({ value: String(seconds), label: words[word] }));
}
