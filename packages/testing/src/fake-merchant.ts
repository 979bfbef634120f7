import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_TIMEOUT_MS } from '@plataforma/local';
import { startLoopback } from './fakes/loopback.ts';

export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The received bytes, unchanged, because the signature of a delivery covers the bytes. */
  readonly body: Buffer;
  readonly receivedAt: number;
}

export interface Answer {
  readonly status: number;
  readonly delayMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface FakeMerchant {
  readonly url: string;
  readonly deliveries: Delivery[];
  /** Sets the answer to all later deliveries. The default is status 200. */
  answer(fn: (delivery: Delivery) => Answer | Promise<Answer>): void;
  /** Resolves with the first matching delivery, which may be received already. Rejects after the timeout. */
  waitFor(predicate: (delivery: Delivery) => boolean, timeoutMs?: number): Promise<Delivery>;
  stop(): Promise<void>;
}

/** Starts the HTTP server of a merchant on this machine. The server records each delivery of a webhook. */
export async function startFakeMerchant(): Promise<FakeMerchant> {
  const deliveries: Delivery[] = [];
  const waiting = new Set<(delivery: Delivery) => void>();
  let answerTo: (delivery: Delivery) => Answer | Promise<Answer> = () => ({ status: 200 });

  const { url, stop } = await startLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '/', headers } = request;
    const delivery = { path, headers, body: Buffer.concat(chunks), receivedAt: Date.now() };
    deliveries.push(delivery);
    for (const notice of waiting) notice(delivery);
    const { status, delayMs = 0, headers: answerHeaders, body } = await answerTo(delivery);
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    response.writeHead(status, answerHeaders).end(body);
  });

  return {
    url,
    deliveries,
    answer(fn) {
      answerTo = fn;
    },
    waitFor(predicate, timeoutMs = WAIT_TIMEOUT_MS) {
      const past = deliveries.find(predicate);
      if (past) return Promise.resolve(past);
      const { promise, resolve, reject } = Promise.withResolvers<Delivery>();
      const notice = (delivery: Delivery) => predicate(delivery) && resolve(delivery);
      waiting.add(notice);
      const complaint = `no such delivery within ${timeoutMs} ms; there were ${deliveries.length} before`;
      const timer = setTimeout(() => reject(new Error(complaint)), timeoutMs);
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(notice);
      });
    },
    stop,
  };
}
