import { Refusal } from '@plataforma/kernel';

const IN_ALL = 20;
/** So that nobody takes all the places there are. */
const FOR_ONE_HOLDER = 5;

/** Lets so many work at once, and sends the rest away at once: whoever waits on a slow bank holds memory here. */
export function createPlaces() {
  const held = new Map<string, number>();
  let total = 0;

  return async <T>(holder: string, work: () => Promise<T>): Promise<T> => {
    const own = held.get(holder) ?? 0;
    if (total >= IN_ALL || own >= FOR_ONE_HOLDER) {
      throw new Refusal(
        'unavailable',
        'SERVICE_UNAVAILABLE',
        'too many codes are being read; try again shortly',
      );
    }
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
