import { useNow } from './clock.ts';
import { dateTime } from './format.ts';
import { useLanguage } from './language.ts';
import { useZone } from './zone.ts';

/** Returns a function that writes an instant in the account's zone, in the language of the page. */
export function useDateTime(): (iso: string) => string {
  const reader = { language: useLanguage(), timeZone: useZone() };
  const now = useNow();
  return (iso) => dateTime(iso, reader, now);
}
