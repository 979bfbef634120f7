import { createSlots } from '@plataforma/http';
import { networkOf } from '@plataforma/kernel/addresses';
import { metrics } from '../metrics.ts';

interface Listener {
  tell(text: string): void;
  end(): void;
}

export type Hub = ReturnType<typeof createHub>;

const MOST_STREAMS = 5_000;
const OF_A_HOLDER = { session: 8, checkout: 4 };
/** Of both kinds together: many buyers and pages share an address, but none takes more than a twentieth of all. */
const OF_A_NETWORK = 500;

export type StreamKind = keyof typeof OF_A_HOLDER;

/** Who listens to what, in this process. */
export function createHub() {
  const listeners = new Map<string, Set<Listener>>();
  const slots = {
    session: createSlots({ total: MOST_STREAMS, perHolder: OF_A_HOLDER.session }),
    checkout: createSlots({ total: MOST_STREAMS, perHolder: OF_A_HOLDER.checkout }),
    network: createSlots({ total: 2 * MOST_STREAMS, perHolder: OF_A_NETWORK }),
  };
  return {
    /** Takes a slot of the holder and one of its network, or neither; returns what releases both. */
    takeSlot(kind: StreamKind, { holder, address }: { holder: string; address: string }) {
      const releaseNetwork = slots.network(networkOf(address));
      if (!releaseNetwork) return undefined;
      const release = slots[kind](holder);
      if (!release) {
        releaseNetwork();
        return undefined;
      }
      return () => {
        release();
        releaseNetwork();
      };
    },
    /** Answers what ends it. */
    subscribe(topic: string, tell: Listener['tell'], end: Listener['end']): () => void {
      const listener = { tell, end };
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
      };
    },
    tell(topic: string, text: string): void {
      for (const { tell } of listeners.get(topic) ?? []) tell(text);
    },
    endAll(): void {
      for (const all of listeners.values()) for (const { end } of all) end();
    },
    read: () => [
      metrics.gauge(
        'plataforma_web_streams',
        {},
        [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
      ),
    ],
  };
}
