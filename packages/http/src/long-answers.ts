import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainAddress, siteOf } from '@plataforma/kernel/addresses';
import type { Request, Response } from 'express';
import type { Bulkhead } from './bulkhead.ts';
import type { AddressOf } from './client-address.ts';
import { whenClosed } from './when-closed.ts';

/**
 * The bytes that one slot for long answers covers. Shorter answers need no slot, because the system's buffer
 * takes them at once.
 */
export const ANSWER_SLOT_BYTES = 64 * 1024;
/**
 * The slowest allowed rate of reading. The server cuts a slower caller's connection after one extra minute.
 */
const LEAST_BYTES_PER_MS = 32;

const slowestMs = (bytes: number) => 60_000 + bytes / LEAST_BYTES_PER_MS;

/**
 * Resolves when the answer is sent or its connection is closed. Cuts the connection of a reader that is too
 * slow.
 */
export function leaving(res: ServerResponse, bytes: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(() => res.destroy(), slowestMs(bytes)).unref();
  whenClosed(res, resolve);
  return promise.finally(() => clearTimeout(late));
}

/**
 * Connections whose caller has perhaps not read the last answer yet. The value is the function that ends the
 * wait for this caller.
 */
const unread = new WeakMap<Socket, () => void>();

/**
 * Ends the wait until the caller has read the previous answer. A caller that begins its next request has read
 * the previous answer.
 */
export function recordNextRequest({ socket }: IncomingMessage): void {
  unread.get(socket)?.();
}

/**
 * Resolves when the caller begins its next request or closes the connection, or after the time that the
 * slowest allowed reader needs. The system buffers megabytes, so a sent answer may still be unread.
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

/** Sends a file. Sets the file's headers only together with the file, so that a refusal has none of them. */
export type SendFile = (req: Request, res: Response, file: SentFile) => Promise<void>;

interface SentFile {
  bytes: Buffer;
  headers?: Record<string, string>;
}

/**
 * Creates a function that sends our own files, which any caller may request. A long file takes slots of the
 * caller's network until the caller has read the file. Behind a trusted proxy, the slots are free once the
 * file is sent, because the proxy reads the file at once.
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
      // After the connection closes, the operating system still buffers bytes that the caller has not read.
      // So the slots stay taken for as long as the slowest allowed reader needs.
      await (res.shouldKeepAlive
        ? reading(req, length)
        : sleep(length / LEAST_BYTES_PER_MS, null, { ref: false }));
    };
    await longAnswers({ network: siteOf(address) }, send, { count: Math.ceil(length / ANSWER_SLOT_BYTES) });
  };
}
