import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@plataforma/observe';
import { createSlots } from './bulkhead.ts';
import { LEAVES } from './pools.ts';
import { summarizer } from './summary.ts';

/** How many connections one caller may have open. */
export interface ConnectionLimit {
  perCaller: number;
  /** Returns the caller that an address belongs to; null: without a limit. */
  callerOf: (address: string) => string | null;
}

const QUIET_MS = 60_000;
const NEARLY_ALL = 0.9;
const CLOSE_EVERY_MS = 1_000;

/**
 * Hangs up on a caller with as many connections as one may have, because an idle one costs nothing to hold, and all are
 * finite. The more are taken, the fewer one caller may have: it leaves eight times as many to others.
 */
export function limitConnections(
  server: Server,
  log: Log,
  { limit, isBusy }: { limit: ConnectionLimit | null; isBusy: (socket: Socket) => boolean },
): void {
  server.on('drop', refusals(log, 'the server has all the connections it takes'));
  const callerOf = ({ remoteAddress = '' }: Socket) => limit?.callerOf(remoteAddress) ?? null;
  closeIdleWhenFull(server, (socket) => isBusy(socket) || (limit !== null && callerOf(socket) === null));
  if (!limit) return;
  const { perCaller: perHolder } = limit;
  const total = server.maxConnections;
  const takeSlot = createSlots({ total, perHolder, leaves: Math.min(LEAVES, total / perHolder - 1) });
  const note = refusals(log, 'an address has all the connections it may have');
  server.on('connection', (socket) => {
    const caller = callerOf(socket);
    if (caller === null) return;
    const giveBack = takeSlot(caller);
    if (giveBack) {
      socket.once('close', giveBack);
      return;
    }
    note();
    socket.destroy();
  });
}

/**
 * Closes connections without a request when nine in ten are taken, so that a few addresses cannot keep all of them. One that
 * was opened or used since the last time may have a request on its way. Node's `closeIdleConnections` would cut off an
 * answer that has ended and not left yet.
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
  // At the limit no connection is announced any more.
  server.on('drop', closeIdle);
}

/** Writes one line a minute for each reason, however many there are. */
function refusals(log: Log, why: string): () => void {
  return summarizer(QUIET_MS, (refused) => log.warn({ refused }, `connections are refused: ${why}`));
}
