const ZONE = 'America/Sao_Paulo';
// Made when the first is shown: each takes as long as all else of a start.
const time = once(() => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, timeStyle: 'medium' }));
const dateTime = once(
  () => new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' }),
);

/** São Paulo's, in both languages, as in the dashboard. */
export function clock(instant: string): string {
  return time().format(new Date(instant));
}

export function dateAndTime(instant: string): string {
  return dateTime().format(new Date(instant)).replace(',', '');
}

/** `3 h`, `2 d`. */
export function since(at: Date): string {
  const minutes = Math.round((Date.now() - at.getTime()) / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} d`;
}

/** Made when it is first asked for. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
