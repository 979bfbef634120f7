import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@plataforma/observe';
import { createSlots } from './bulkhead.ts';
import { limitConnectionRate } from './connection-rate.ts';
import { metrics } from './metrics.ts';
import { LEAVES } from './pools.ts';
import { summarizer } from './summary.ts';

export interface ConnectionLimit {
  perCaller: number;
  /**
   * The connections that one caller may open at the same moment; after 15 seconds it may open as many again.
   * The default is 1.5 times `perCaller`, and at least 1,500.
   */
  atOnce?: number;
  /** Returns the caller to whom an address belongs, or null when the address has no limit. */
  callerOf: (address: string) => string | null;
  /** Returns the IPv6 /48 of a caller, which may have a third of all connections. Null for other callers. */
  siteOf?: (address: string) => string | null;
}

/** The free connections per connection of an IPv6 /48; fewer if one address may have over a third. */
const SITE_LEAVES = 2;

const reasons = {
  server: 'the server has all the connections it takes',
  open: 'an address has all the connections it may have',
  rate: 'an address opens more connections than it may',
};

const labels = { server: { reason: 'server' }, open: { reason: 'open' }, rate: { reason: 'rate' } };
const refusedConnections = metrics.recorder('plataforma_connections_refused_total', Object.values(labels));

const QUIET_MS = 60_000;
const NEARLY_ALL = 0.9;
const CLOSE_EVERY_MS = 1_000;

interface Limiting {
  limit: ConnectionLimit | null;
  isBusy: (socket: Socket) => boolean;
  /**
   * Called for each accepted connection, even if the connection is then refused. Not called when `limit` is
   * null.
   */
  onAccepted: () => void;
}

/**
 * Refuses a connection when its caller already has the maximum, or when too few connections would stay free.
 * Up to eight must stay free for each connection of the caller, and up to two for each connection of its IPv6
 * /48.
 */
export function limitConnections(server: Server, log: Log, { limit, isBusy, onAccepted }: Limiting): void {
  server.on('drop', refusals(log, 'server'));
  if (limit) limitConnectionRate(server, limit, { onAccepted, onRefused: refusals(log, 'rate') });
  const callerOf = ({ remoteAddress = '' }: Socket) => limit?.callerOf(remoteAddress) ?? null;
  closeIdleWhenFull(server, (socket) => isBusy(socket) || (limit !== null && callerOf(socket) === null));
  if (!limit) return;
  const { perCaller: perHolder } = limit;
  const total = server.maxConnections;
  const leaves = (most: number) => Math.min(most, total / perHolder - 1);
  const takeSlot = createSlots({ total, perHolder, leaves: leaves(LEAVES) });
  const takeSiteSlot = createSlots({ total, perHolder: total, leaves: leaves(SITE_LEAVES) });
  const recordRefusal = refusals(log, 'open');
  server.on('connection', (socket) => {
    const caller = callerOf(socket);
    if (caller === null || socket.destroyed) return;
    const site = limit.siteOf?.(socket.remoteAddress ?? '') ?? null;
    const giveBackOfSite = site === null ? () => undefined : takeSiteSlot(site);
    const giveBack = giveBackOfSite && takeSlot(caller);
    if (giveBackOfSite) socket.once('close', giveBackOfSite);
    if (giveBack) {
      socket.once('close', giveBack);
      return;
    }
    recordRefusal();
    socket.destroy();
  });
}

/**
 * If 90 % of the allowed connections are open, closes those that have been idle since the previous check.
 * Otherwise a few addresses could hold every connection. Node's `closeIdleConnections` would cut off an
 * answer whose last bytes have not been sent yet.
 */
function closeIdleWhenFull(server: Server, isInUse: (socket: Socket) => boolean): void {
  const isFresh = new Map<Socket, boolean>();
  let closedAt = 0;
  const closeIdle = () => {
    const now = performance.now();
    if (now - closedAt < CLOSE_EVERY_MS) return;
    closedAt = now;
    for (const [socket, fresh] of isFresh) {
      const inUse = isInUse(socket);
      isFresh.set(socket, inUse);
      if (!inUse && !fresh) socket.destroy();
    }
  };
  server.on('connection', (socket) => {
    isFresh.set(socket, true);
    socket.once('close', () => isFresh.delete(socket));
    if (isFresh.size >= server.maxConnections * NEARLY_ALL) closeIdle();
  });
  server.on('request', ({ socket }) => void (isFresh.has(socket) && isFresh.set(socket, true)));
  // At its limit of connections, Node emits `drop` instead of `connection`.
  server.on('drop', closeIdle);
}

/**
 * Returns a function that counts a refused connection and writes at most one log line a minute for the
 * reason.
 */
function refusals(log: Log, reason: keyof typeof reasons): () => void {
  const why = reasons[reason];
  const write = summarizer(QUIET_MS, (refused) => log.warn({ refused }, `connections are refused: ${why}`));
  return () => {
    refusedConnections(labels[reason], 1);
    write();
  };
}
