import { useNow } from './clock.ts';
import { dateTime } from './format.ts';
import { useLanguage } from './language.ts';
import { useZone } from './zone.ts';

export function useDateTime(): (iso: string) => string {
  const reader = { language: useLanguage(), timeZone: useZone() };
  const now = useNow();
  return (iso) => dateTime(iso, reader, now);
}
