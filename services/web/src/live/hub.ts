import { EventEmitter } from 'node:events';
import { createBulkhead, createSlots, LEAVES, pools } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import { LRUCache } from 'lru-cache';
import { metrics } from '../metrics.ts';

interface Listener {
  send(text: string): void;
  end(): void;
}

export type Hub = ReturnType<typeof createHub>;

const MOST_STREAMS = pools.streams.total;
const OF_A_HOLDER = { session: 8, checkout: 4 };
/**
 * The limit of a network is high, because many buyers and pages may share the network. The limit falls as
 * fewer slots stay free.
 */
const OF_A_NETWORK = { total: MOST_STREAMS, perHolder: 500, leaves: LEAVES };

export type StreamKind = keyof typeof OF_A_HOLDER;

const MOST_ENDED = 10_000;
/**
 * The time for which the hub remembers an ended session. It exceeds the time in which the gateway checks a
 * session for a new stream, because the session may end during the check.
 */
const RETAINED_MS = 60_000;
/**
 * `renewSessions` ends each session stream at a random moment within this time, so that the browsers do not
 * all reconnect at once.
 */
const RENEWED_WITHIN_MS = 60_000;
/**
 * A topic sends equal messages only once within this time. Otherwise one sandbox with hundreds of streams and
 * updates a second could keep the process busy for all pages.
 */
const PAUSE_MS = 100;

/** Creates the register of this process's open streams and of the topics that they follow. */
export function createHub() {
  const listeners = new Map<string, Set<Listener>>();
  const pausedTopics = new Map<string, Set<string>>();
  const send = (topic: string, texts: Iterable<string>) => {
    for (const text of texts) for (const listener of listeners.get(topic) ?? []) listener.send(text);
    pausedTopics.set(topic, new Set());
    setTimeout(() => {
      const waiting = pausedTopics.get(topic);
      pausedTopics.delete(topic);
      if (waiting?.size) send(topic, waiting);
    }, PAUSE_MS).unref();
  };
  const slots = {
    // The total is unlimited here. The bulkhead `streams` limits all sessions together once their accounts
    // are known.
    session: createSlots({ total: Number.POSITIVE_INFINITY, perHolder: OF_A_HOLDER.session }),
    checkout: createSlots({ total: MOST_STREAMS, perHolder: OF_A_HOLDER.checkout }),
  };
  const networkSlots = { session: createSlots(OF_A_NETWORK), checkout: createSlots(OF_A_NETWORK) };
  const inAccountSlot = createBulkhead('streams');
  const sessions = new EventEmitter().setMaxListeners(0);
  const ended = new LRUCache<string, true>({ max: MOST_ENDED, ttl: RETAINED_MS });
  return {
    /**
     * Takes a slot of the holder and a slot of its network, and returns a function that releases both.
     * Returns undefined when either has no free slot.
     */
    takeSlot(kind: StreamKind, { holder, address }: { holder: string; address: string }) {
      const releaseNetwork = networkSlots[kind](siteOf(address));
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
    inAccountSlot,
    /** Returns the function that ends the subscription. */
    subscribe(topic: string, send: Listener['send'], end: Listener['end']): () => void {
      const listener = { send, end };
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(topic) === all) listeners.delete(topic);
      };
    },
    /** Sends a message to the streams of a topic, at once or after the topic's pause. */
    publish(topic: string, text: string): void {
      const waiting = pausedTopics.get(topic);
      if (waiting) waiting.add(text);
      else if (listeners.has(topic)) send(topic, [text]);
    },
    /**
     * Calls `end` when the session ends, and returns a function that cancels the call. Throws UNAUTHORIZED
     * when the session has just ended.
     */
    onSessionEnd(id: string, end: () => void): () => void {
      if (ended.has(id)) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'log in first');
      sessions.once(id, end);
      return () => void sessions.off(id, end);
    },
    endSession(id: string): void {
      ended.set(id, true);
      sessions.emit(id);
    },
    /**
     * Ends all session streams within a minute, because a session may have ended while the broker was
     * unavailable. The service checks each session again when its browser reconnects.
     */
    renewSessions(): void {
      for (const name of sessions.eventNames()) {
        setTimeout(() => sessions.emit(name), Math.random() * RENEWED_WITHIN_MS).unref();
      }
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
