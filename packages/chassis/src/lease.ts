import { type Clock, Refusal } from '@plataforma/kernel';

/** What is asked just before the first byte of an order leaves, and throws when it may not. */
export interface Gate {
  demand(): void | Promise<void>;
}

/** For how long a claim holds: a process that sleeps past its end may not act on it, as a second replica may have settled it. */
export interface Lease {
  /**
   * Throws a Refusal, PROVIDER_UNAVAILABLE, when it is over. Asked when an order leaves, not when it is made: tokens and
   * questions before it take time.
   */
  demand(): void;
}

interface LeaseTerms {
  clock: Clock;
  until: Date;
  /** Called when an order comes too late. */
  whenOver: () => void;
}

export function createLease({ clock, until, whenOver }: LeaseTerms): Lease {
  return {
    demand() {
      if (clock() < until) return;
      whenOver();
      const message = 'the provider was not asked in time; it goes on by itself, send the same request again';
      throw new Refusal('unavailable', 'PROVIDER_UNAVAILABLE', message);
    },
  };
}
