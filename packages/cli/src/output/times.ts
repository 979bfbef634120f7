const ZONE = 'America/Sao_Paulo';
// Each format is built at its first use, because building a format takes as long as all other work at the
// program's start.
const time = lazily(() => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, timeStyle: 'medium' }));
const dateTime = lazily(
  () => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' }),
);

/** Formats the time of day in São Paulo. The format is the same in both languages, as in the dashboard. */
export function clock(instant: string): string {
  return shown(time, instant);
}

export function dateAndTime(instant: string): string {
  return shown(dateTime, instant).replace(',', '');
}

/** Shows a dash for a date that does not exist, because a server's wrong answer must not end the program. */
function shown(format: () => Intl.DateTimeFormat, instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? '–' : format().format(date);
}

/** Returns the time that has passed since `at`, such as `90 min`, `3 h` or `2 d`. */
export function since(at: Date): string {
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} d`;
}

/** Returns a function that calls `make` at its first call and returns the same value at every call. */
export function lazily<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
