import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach } from '@jest/globals';
import { type Loopback, startLoopback } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';

export const LEASED = { check: () => undefined };

export interface RecordedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body; a text when the body is not JSON, and undefined when the request has no body. */
  body: unknown;
}

export type Reply =
  | { status: number; body: unknown }
  | { status: number; text: string }
  | { status: number; cutOff: true }
  | 'reset'
  | 'silence';

export interface Peer extends Loopback {
  requests: RecordedRequest[];
  /**
   * Sets the replies to the next requests, one reply for each request. A request without a reply gets 404.
   */
  reply(...replies: Reply[]): void;
}

/** Starts the server once for a test file. Each test sees only its own requests. */
export function peerOfFile<Own extends Peer>(start: () => Promise<Own>): Own {
  const peer = worldOfFile(start);
  beforeEach(() => void peer.requests.splice(0));
  return peer;
}

export const json = (status: number, body: unknown): Reply => ({ status, body });

/**
 * Starts a server for the client that a test calls. The server sends scripted replies and records the
 * requests.
 */
export async function startPeer(
  always: (request: RecordedRequest) => Reply | undefined = () => undefined,
): Promise<Peer> {
  const requests: RecordedRequest[] = [];
  const replies: Reply[] = [];

  const server = await startLoopback(async (request, response) => {
    const each = await readRequest(request);
    const fixedReply = always(each);
    if (!fixedReply) requests.push(each);
    const reply = fixedReply ?? replies.shift() ?? json(404, {});
    if (reply === 'silence') return;
    if (reply === 'reset') return void request.socket.resetAndDestroy();
    const head = response.writeHead(reply.status, { 'content-type': 'application/json' });
    if ('cutOff' in reply) return void head.write('{"half', () => request.socket.destroy());
    head.end('text' in reply ? reply.text : JSON.stringify(reply.body));
  });
  return {
    ...server,
    requests,
    reply: (...next) => void replies.splice(0, Number.POSITIVE_INFINITY, ...next),
  };
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://peer');
  const written = await text(request);
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: bodyOf(written),
  };
}

function bodyOf(written: string): unknown {
  if (written === '') return undefined;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}
