import { Refusal } from '@plataforma/kernel';

interface Room {
  inAll: number;
  /** So that nobody takes all the places there are. */
  forOneHolder: number;
  /** What everybody hears for whom there is no place. */
  full: string;
}

/**
 * Lets so much work be done at once, and sends the rest away at once with SERVICE_UNAVAILABLE: whoever waits, for a slow
 * bank or for a caller who does not read, holds memory here.
 */
export function createPlaces({ inAll, forOneHolder, full }: Room) {
  const held = new Map<string, number>();
  let total = 0;

  return async <T>(holder: string, work: () => Promise<T>): Promise<T> => {
    const own = held.get(holder) ?? 0;
    if (total >= inAll || own >= forOneHolder) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', full);
    total += 1;
    held.set(holder, own + 1);
    try {
      return await work();
    } finally {
      total -= 1;
      const left = (held.get(holder) ?? 1) - 1;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    }
  };
}

export type Places = ReturnType<typeof createPlaces>;
