import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Handle } from './fair-queue.ts';
import { answerMalformed, refuseTunnel } from './malformed.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** The interval at which Node checks whether the timeout of a request or of its headers has expired. */
const TIMEOUT_CHECK_MS = 1_000;
/**
 * The length of the accept queue, enough for a few bursts of connections. It is the default maximum of Linux,
 * which drops a SYN when the queue is full.
 */
const BACKLOG = 4_096;

/** Creates the server of Node with our limits. It answers malformed requests and refuses tunnels. */
export function serverOf(
  handle: Handle,
  {
    stalledAfterMs,
    keepAliveMs,
    maxHeadBytes,
  }: { stalledAfterMs: number; keepAliveMs: number; maxHeadBytes: number },
): Server {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveMs,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      maxHeaderSize: maxHeadBytes,
      // Node's refusal of a missing `Host` has no failure envelope, so `requireHost` refuses the request
      // instead.
      requireHostHeader: false,
    },
    handle,
  );
  // The number of headers has no limit here, because Node silently drops headers above its limit, even
  // Content-Length. `maxHeaderSize` limits their total size.
  server.maxHeadersCount = 0;
  server.timeout = stalledAfterMs;
  const exchangesOn = followExchanges(server);
  server.on('clientError', (error, socket) =>
    answerMalformed(error, socket, { exchanges: exchangesOn(socket), maxHeadBytes }),
  );
  server.on('connect', (_req, socket) => refuseTunnel(socket, exchangesOn(socket)));
  // A server may ignore an expectation that it does not know (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  return server;
}

/**
 * Returns a function that lists the open requests of a connection. A connection has several if requests are
 * pipelined, or if an answered request still sends its body.
 */
function followExchanges(server: Server): (socket: Duplex) => ServerResponse[] {
  const exchanges = new WeakMap<Duplex, Set<ServerResponse>>();
  const hasEnded = (res: ServerResponse) => res.closed && res.req.complete;
  server.prependListener('request', (req, res) => {
    const open = exchanges.get(req.socket) ?? new Set();
    for (const earlier of open) if (hasEnded(earlier)) open.delete(earlier);
    exchanges.set(req.socket, open.add(res));
    res.once('close', () => req.complete && open.delete(res));
  });
  return (socket) => [...(exchanges.get(socket) ?? [])].filter((res) => !hasEnded(res));
}

/** Starts to listen and returns the address of the listener. Rejects when the server cannot listen. */
export function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', reject);
      const address = server.address();
      if (address && typeof address === 'object') resolve(address);
      else reject(new Error('the server has no port'));
    });
  });
}
