import { readFileSync } from 'node:fs';
import type { Refusal } from '@plataforma/kernel';
import { asCall } from '@plataforma/observe';
import { Agent } from 'undici';
import { connectorToProvider, connectorToReplicas } from './connector.ts';

/**
 * The client certificate as PEM texts. `ca` replaces the certificate authorities that this machine trusts.
 */
export interface ClientTls {
  cert: string;
  key: string;
  ca?: string;
}

/**
 * Reads the certificate, its key and the authorities from PEM files. Returns no `tls` when the file of the
 * certificate or of its key is not set.
 */
export function readClientTls(files: {
  certFile: string | undefined;
  keyFile: string | undefined;
  caFile: string | undefined;
}): { tls?: ClientTls } {
  const { certFile, keyFile, caFile } = files;
  if (!certFile || !keyFile) return {};
  const pem = (file: string) => readFileSync(file, 'utf8');
  return { tls: { cert: pem(certFile), key: pem(keyFile), ...(caFile ? { ca: pem(caFile) } : {}) } };
}

export interface Peer {
  baseUrl: string;
  /** The longest time from the start of a request until its whole answer is read. */
  timeoutMs: number;
  tls?: ClientTls | undefined;
  /** True for a service of ours. The client then sends the request id and the trace to the peer. */
  isOurs?: boolean;
  /** Returns the error to throw when the outcome at the peer is unknown. */
  unanswered(): Refusal;
}

export interface PeerRequest {
  method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** The client appends this path to the path of the peer's base URL. */
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface PeerAnswer {
  status: number;
  /** The parsed JSON; undefined when the body is not JSON. */
  body: unknown;
}

/**
 * The time for which our services keep an idle connection to each other, regardless of the server's offer. It
 * is over a second shorter than the drain of a stopping service, because timers may be late.
 */
export const IDLE_CONNECTION_MS = 3_000;
const KEEP_ALIVE_MS = 30_000;
const MAX_CONNECTIONS = 64;
const MAX_ANSWER_BYTES = 1024 * 1024;

const toReplicas = {
  connect: connectorToReplicas({}),
  keepAliveTimeout: IDLE_CONNECTION_MS,
  keepAliveMaxTimeout: IDLE_CONNECTION_MS,
};

/**
 * Creates a client for JSON requests to one peer, over persistent connections. Throws `unanswered()` when the
 * outcome is unknown: no whole answer came in time, or the answer is 5xx, 429 or above 1 MiB.
 */
export function createJsonClient({ baseUrl, timeoutMs, tls, isOurs = false, unanswered }: Peer) {
  const { origin, pathname, hostname } = new URL(baseUrl);
  const attributes = { 'server.address': hostname };
  const dispatcher = new Agent({
    connections: MAX_CONNECTIONS,
    maxResponseSize: MAX_ANSWER_BYTES,
    ...(isOurs ? toReplicas : { keepAliveTimeout: KEEP_ALIVE_MS, connect: connectorToProvider({ ...tls }) }),
  });

  async function send({ method, path, headers, body }: PeerRequest, onward: Record<string, string>) {
    const response = await dispatcher.request({
      origin,
      path: pathname.replace(/\/$/, '') + path,
      method,
      headers: isOurs ? { ...headers, ...onward } : headers,
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.statusCode, text: await response.body.text() };
  }

  return async (request: PeerRequest): Promise<PeerAnswer> => {
    const { status, text } = await asCall({ method: request.method, attributes }, (onward) =>
      send(request, onward),
    ).catch((cause) => {
      throw Object.assign(unanswered(), { cause });
    });
    if (status >= 500 || status === 429) throw unanswered();
    return { status, body: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
