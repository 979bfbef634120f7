import type { Language } from './state.ts';

/** Formats a time in the time zone of São Paulo and not in the device's zone. */
export function moment(iso: string, language: Language): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Sao_Paulo' } as const;
  return new Intl.DateTimeFormat(language, options).format(new Date(iso));
}

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/**
 * Returns `59:52`, or `1:59:52` from one hour on. Returns null from two days on, because the page then shows
 * no countdown.
 */
export function timeLeft(ms: number): string | null {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds >= 2 * DAY_SECONDS) return null;
  const hours = Math.floor(seconds / HOUR_SECONDS);
  const rest = [Math.floor((seconds % HOUR_SECONDS) / 60), seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return [...(hours > 0 ? [hours] : []), ...rest].join(':');
}
