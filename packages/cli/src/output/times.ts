const ZONE = 'America/Sao_Paulo';
// The formats are built at their first use, because each takes as long as the rest of the start.
const time = lazily(() => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, timeStyle: 'medium' }));
const dateTime = lazily(
  () => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' }),
);

/** Formats a time of São Paulo, in both languages, as the dashboard does. */
export function clock(instant: string): string {
  return time().format(new Date(instant));
}

export function dateAndTime(instant: string): string {
  return dateTime().format(new Date(instant)).replace(',', '');
}

/** Formats the time since `at` as `90 min`, `3 h` or `2 d`. */
export function since(at: Date): string {
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} d`;
}

/** Returns a function that builds the value at its first call. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
