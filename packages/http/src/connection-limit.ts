import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '@plataforma/observe';
import { createSlots } from './bulkhead.ts';

/** How many connections one caller may have open. */
export interface ConnectionLimit {
  perCaller: number;
  /** Who counts as one caller, by the address a connection comes from; null for who may have all there are. */
  callerOf: (address: string) => string | null;
}

const QUIET_MS = 60_000;
const NEARLY_ALL = 0.9;

/** Hangs up on a caller with as many connections as one may have: an idle one costs nothing to hold, and all are finite. */
export function limitConnections(
  server: Server,
  log: Log,
  { limit, isBusy }: { limit: ConnectionLimit | null; isBusy: (socket: Socket) => boolean },
): void {
  const note = refusals(log);
  server.on('drop', () => note('the server has all the connections it takes'));
  closeIdleWhenFull(server, isBusy);
  if (!limit) return;
  const takeSlot = createSlots({ total: Number.POSITIVE_INFINITY, perHolder: limit.perCaller });
  server.on('connection', (socket) => {
    const caller = limit.callerOf(socket.remoteAddress ?? '');
    if (caller === null) return;
    const giveBack = takeSlot(caller);
    if (giveBack) {
      socket.once('close', giveBack);
      return;
    }
    note('an address has all the connections it may have');
    socket.destroy();
  });
}

/**
 * Closes connections without a request when nine in ten are taken, so that a few addresses cannot keep all of them. Node's
 * `closeIdleConnections` would cut off an answer that has ended and not left yet.
 */
function closeIdleWhenFull(server: Server, isBusy: (socket: Socket) => boolean): void {
  let open = 0;
  const used = new Set<Socket>();
  let closedAt = 0;
  const closeIdle = () => {
    if (performance.now() - closedAt < 1_000) return;
    closedAt = performance.now();
    for (const socket of used) if (!isBusy(socket)) socket.destroy();
  };
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      used.delete(socket);
    });
    if (open >= server.maxConnections * NEARLY_ALL) closeIdle();
  });
  server.on('request', ({ socket }) => void (socket.destroyed || used.add(socket)));
  // At the limit no connection is announced any more.
  server.on('drop', closeIdle);
}

/** One line a minute, however many there are; `refused` counts those since the line before. */
function refusals(log: Log): (why: string) => void {
  let refused = 0;
  let quietUntil = 0;
  return (why) => {
    refused += 1;
    const now = performance.now();
    if (now < quietUntil) return;
    log.warn({ refused }, `connections are refused: ${why}`);
    refused = 0;
    quietUntil = now + QUIET_MS;
  };
}
