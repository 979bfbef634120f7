import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Dice } from '../dice.ts';
import { forgeryOf, type Notice } from './forgery.ts';

/**
 * A proxy that receives the provider's callbacks in place of the gateway, and can delay, lose, duplicate or
 * forge them.
 */
export interface PostOffice {
  /** The address to which the provider sends callbacks. The paths are those of the gateway. */
  readonly url: string;
  mistreat(how: Mistreatment, times: number): void;
  /** Sends delayed callbacks immediately, and passes all later callbacks unchanged. */
  heal(): void;
  /** All callbacks in the order of arrival, with the responses of the gateway. */
  readonly letters: readonly Letter[];
  stop(): Promise<void>;
}

export type Mistreatment =
  | { kind: 'duplicated'; copies: number }
  /** The callback waits until some later callbacks have been sent. */
  | { kind: 'reordered' }
  /** The proxy answers 200 and does not pass the callback on. */
  | { kind: 'lost' }
  | { kind: 'late'; ms: number }
  /** The proxy sends the callback together with a forged copy that has another amount, id or secret. */
  | { kind: 'forged' };

export interface Letter {
  path: string;
  body: string;
  how: 'passed' | Mistreatment['kind'];
  receivedAt: number;
  /**
   * The gateway's responses: one to the callback, and one to each copy. `path` is the path of the callback or
   * copy. `status` is null if no response arrived.
   */
  answers: { path: string; at: number; status: number | null }[];
}

/** The number of callbacks that are sent before a reordered callback. */
const OVERTAKING = 2;
const ANSWER_TIMEOUT_MS = 30_000;
const NO_ANSWER = 502;

interface PostOfficeOptions {
  gatewayUrl: string;
  dice: Dice;
}

/** A callback that waits for other callbacks or for a time. */
interface DelayedCallback {
  /** The number of other callbacks that must be sent before this callback. */
  overtaking: number;
  release(): void;
}

/**
 * Opens the proxy. The provider gets the gateway's response, except for a lost callback. A delayed callback
 * reaches the gateway even if the provider has given up and sent it again.
 */
export async function openPostOffice({ gatewayUrl, dice }: PostOfficeOptions): Promise<PostOffice> {
  const letters: Letter[] = [];
  const delayed = new Set<DelayedCallback>();
  const stopping = new AbortController();
  let toCome: Mistreatment[] = [];

  function delay(overtaking: number, ms?: number): Promise<void> {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const one = { overtaking, release };
    const timer = ms === undefined ? undefined : setTimeout(release, ms);
    delayed.add(one);
    return promise.finally(() => {
      clearTimeout(timer);
      delayed.delete(one);
    });
  }

  async function bring(letter: Letter, { path, body }: Notice = letter): Promise<number | null> {
    const status = await post(gatewayUrl + path, body, stopping.signal);
    letter.answers.push({ path, at: Date.now(), status });
    for (const one of delayed) {
      one.overtaking -= 1;
      if (one.overtaking === 0) one.release();
    }
    return status;
  }

  async function treat(letter: Letter, how: Mistreatment | undefined): Promise<number | null> {
    if (how?.kind === 'lost') return 200;
    if (how?.kind === 'late') await delay(Number.POSITIVE_INFINITY, how.ms);
    if (how?.kind === 'reordered') await delay(OVERTAKING);
    if (how?.kind === 'forged') void bring(letter, forgeryOf(letter, letters, dice));
    const copies = how?.kind === 'duplicated' ? how.copies : 0;
    for (let copy = 0; copy < copies; copy += 1) void bring(letter);
    return bring(letter);
  }

  function heal(): void {
    toCome = [];
    for (const { release } of delayed) release();
  }

  const server = createServer(async (request, response) => {
    const receivedAt = Date.now();
    const body = await bodyOf(request).catch(() => null);
    if (body === null) return;
    const how = toCome.shift();
    const letter: Letter = {
      path: request.url ?? '/',
      body,
      how: how?.kind ?? 'passed',
      receivedAt,
      answers: [],
    };
    letters.push(letter);
    const status = await treat(letter, how);
    response.writeHead(status ?? NO_ANSWER).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return {
    ...{ url: `http://127.0.0.1:${address.port}`, letters, heal },
    mistreat(how, times) {
      toCome.push(...Array.from({ length: times }, () => how));
    },
    async stop() {
      stopping.abort();
      heal();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function post(url: string, body: string, signal: AbortSignal): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
