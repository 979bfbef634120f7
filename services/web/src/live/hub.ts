import { createSlots } from '@plataforma/http';
import { metrics } from '../metrics.ts';

interface Listener {
  tell(text: string): void;
  end(): void;
}

export type Hub = ReturnType<typeof createHub>;

const MOST_STREAMS = 5_000;
const OF_A_SESSION = 8;
const OF_A_CHECKOUT = 4;

/** Who listens to what, in this process. */
export function createHub() {
  const listeners = new Map<string, Set<Listener>>();
  return {
    sessionSlots: createSlots({ total: MOST_STREAMS, perHolder: OF_A_SESSION }),
    checkoutSlots: createSlots({ total: MOST_STREAMS, perHolder: OF_A_CHECKOUT }),
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
