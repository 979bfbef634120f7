import type { Server } from 'node:http';
import { BlockList, type Socket } from 'node:net';

/** The time in which an empty bucket refills. A bucket of 1,500 connections gets 100 connections a second. */
const FULL_AFTER_MS = 15_000;
/**
 * The minimum number of connections in a full bucket. Two hundred buyers behind one address open up to 1,200
 * connections at the same moment.
 */
const LEAST_CAPACITY = 1_500;
const FORGET_EVERY_MS = 1_000;

/**
 * Creates the rate limit of connections, with one token bucket for each caller. An empty bucket refills in 15
 * seconds.
 */
export function createBuckets(capacity: number) {
  const buckets = new Map<string, { fullAt: number; isRefused: boolean }>();
  const refillMs = FULL_AFTER_MS / capacity;
  let forgottenAt = 0;

  function forgetFull(now: number): void {
    if (now - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = now;
    for (const [caller, { fullAt }] of buckets) if (fullAt <= now) buckets.delete(caller);
  }

  return {
    size: () => buckets.size,
    /**
     * Takes one connection from the caller's bucket. Once the bucket is empty, returns false until the bucket
     * is half full again.
     */
    take(caller: string, now: number): boolean {
      forgetFull(now);
      const bucket = buckets.get(caller) ?? { fullAt: now, isRefused: false };
      const untilFullMs = Math.max(bucket.fullAt - now, 0);
      if (bucket.isRefused && untilFullMs > FULL_AFTER_MS / 2) return false;
      bucket.isRefused = untilFullMs + refillMs > FULL_AFTER_MS;
      if (bucket.isRefused) return false;
      bucket.fullAt = now + untilFullMs + refillMs;
      buckets.set(caller, bucket);
      return true;
    },
  };
}

interface Rate {
  perCaller: number;
  atOnce?: number;
  callerOf: (address: string) => string | null;
}

interface RateListeners {
  /** The listener for each accepted connection, including those that are then refused. */
  onAccepted: () => void;
  onRefused: () => void;
}

/**
 * Refuses connections of a caller that opens too many in a short time. Uses a `blockList`, which Node checks
 * before it creates a socket and a parser. Their creation takes ten times as long as the refusal.
 */
export function limitConnectionRate(
  server: Server,
  { perCaller, atOnce = Math.max(LEAST_CAPACITY, perCaller * 1.5), callerOf }: Rate,
  { onAccepted, onRefused }: RateListeners,
): void {
  const buckets = createBuckets(atOnce);
  const check = (address: string): boolean => {
    const caller = callerOf(address);
    if (caller === null || buckets.take(caller, performance.now())) return false;
    onAccepted();
    onRefused();
    return true;
  };
  Object.assign(server, { blockList: Object.assign(new BlockList(), { check }) });
  dropReset(server);
  server.on('connection', onAccepted);
}

/**
 * Drops a connection that its caller has already reset, before Node creates a parser for it. The block list
 * does not see these connections, because they have no address.
 */
function dropReset(server: Server): void {
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
    else for (const listener of serve) Reflect.apply(listener, server, [socket]);
  });
}
