import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainAddress, siteOf } from '@plataforma/kernel/addresses';
import type { Request, Response } from 'express';
import type { Bulkhead } from './bulkhead.ts';
import type { AddressOf } from './client-address.ts';
import { whenClosed } from './when-closed.ts';

/** A slot for long answers; the system takes what is shorter, and no memory here keeps it. */
export const ANSWER_SLOT_BYTES = 64 * 1024;
/** A caller that reads slower, for longer than a minute, is cut off. */
const LEAST_BYTES_PER_MS = 32;

const slowestMs = (bytes: number) => 60_000 + bytes / LEAST_BYTES_PER_MS;

/** Resolves when the answer has left, or its connection has closed. */
export function leaving(res: ServerResponse, bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(() => res.destroy(), slowestMs(bytes)).unref();
  whenClosed(res, resolve);
  return promise.finally(() => clearTimeout(late));
}

/** Connections whose last answer may be unread. */
const unread = new WeakMap<Socket, () => void>();

/** A caller that begins its next request has read the answer to the one before. */
export function recordNextRequest({ socket }: IncomingMessage): void {
  unread.get(socket)?.();
}

/**
 * Resolves when the caller has begun its next request on the connection, has closed it, or has had the time that the
 * slowest reader takes, because the system takes megabytes that nobody reads.
 */
function reading({ socket }: IncomingMessage, bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, slowestMs(bytes)).unref();
  unread.set(socket, resolve);
  if (socket.destroyed) resolve();
  socket.once('close', resolve);
  return promise.finally(() => {
    clearTimeout(late);
    unread.delete(socket);
    socket.off('close', resolve);
  });
}

/** The headers are set only when the file is sent: no refusal has them. */
export type SendFile = (req: Request, res: Response, file: SentFile) => Promise<void>;

interface SentFile {
  bytes: Buffer;
  headers?: Record<string, string>;
}

/**
 * Sends files of ours, which anybody may ask for: a long one in slots of the caller's network until its caller has read
 * it. A trusted proxy reads at once, and its connections are those of many callers.
 */
export function createSendFile({
  longAnswers,
  addressOf,
}: {
  longAnswers: Bulkhead;
  addressOf: AddressOf;
}): SendFile {
  return async (req, res, { bytes, headers = {} }) => {
    const { length } = bytes;
    if (length <= ANSWER_SLOT_BYTES) return void res.set(headers).send(bytes);
    const address = addressOf(req);
    const isDirect = plainAddress(req.socket.remoteAddress ?? '') === address;
    const send = async () => {
      res.set(headers).send(bytes);
      if (res.statusCode === 304 || req.method === 'HEAD') return;
      await leaving(res, length);
      if (!isDirect || !res.writableFinished) return;
      // The system sends on what remains of a connection that we close, for as long as nobody reads it.
      await (res.shouldKeepAlive
        ? reading(req, length)
        : sleep(length / LEAST_BYTES_PER_MS, null, { ref: false }));
    };
    await longAnswers({ network: siteOf(address) }, send, { count: Math.ceil(length / ANSWER_SLOT_BYTES) });
  };
}
