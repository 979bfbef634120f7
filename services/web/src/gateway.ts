import { connectorToReplicas, FORWARDED_FOR_IGNORED, IDLE_CONNECTION_MS } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { asCall, type Log } from '@plataforma/observe';
import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';

export interface GatewayRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** The path with its query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string | null;
  signal?: AbortSignal;
}

export type GatewayAnswer = Dispatcher.ResponseData;

/** The gateway's status, headers and parsed body, for short answers. */
export interface GatewayReply {
  status: number;
  body: unknown;
  headers: GatewayAnswer['headers'];
}

/** A client of the public API. The API gives this service no special privileges. */
export interface Gateway {
  /** Throws SERVICE_UNAVAILABLE when the gateway sends no response headers. */
  send(request: GatewayRequest): Promise<GatewayAnswer>;
  ask(request: GatewayRequest): Promise<GatewayReply>;
  close(): Promise<void>;
}

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string().default('') }) });

/**
 * Returns the error code and message of a response body. Both are empty texts when the body contains no
 * error.
 */
export function refusalIn(body: unknown): { code: string; message: string } {
  return refusal.safeParse(body).data?.error ?? { code: '', message: '' };
}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * This timeout is longer than the gateway waits for a service, and longer than a long-polling request waits
 * for events.
 */
const ANSWER_TIMEOUT_MS = 40_000;

const UNTRUSTED =
  'the gateway does not believe whose address web forwards: all browsers share one limit of requests and ' +
  'of log-ins that fail; add the addresses of web, and of every proxy between, to the TRUSTED_PROXIES of ' +
  'the gateway';

/**
 * Opens a pool of connections to the gateway. Log-ins, buyers and pages use separate pools, so that none of
 * them delays another.
 */
export function openGateway(url: string, log: Log, connections: number): Gateway {
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    connect: connectorToReplicas({ timeout: CONNECT_TIMEOUT_MS }),
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
  });

  let hasWarned = false;
  function warnOnce(isIgnored: boolean): void {
    if (!isIgnored || hasWarned) return;
    hasWarned = true;
    log.warn(UNTRUSTED);
  }

  async function send({ path, headers, body = null, ...rest }: GatewayRequest): Promise<GatewayAnswer> {
    const attributes = { 'peer.service': 'gateway' };
    return asCall({ method: rest.method, attributes }, async (onward) => {
      const request = { ...rest, path: prefix + path, headers: { ...headers, ...onward }, body };
      const answer = await pool.request(request);
      warnOnce(answer.headers[FORWARDED_FOR_IGNORED] === 'true');
      return Object.assign(answer, { status: answer.statusCode });
    }).catch((cause) => {
      const again = 'no answer arrived from the API: first check whether a change was made, then try again';
      throw Object.assign(new Refusal('unavailable', 'SERVICE_UNAVAILABLE', again), { cause });
    });
  }

  return {
    send,
    async ask(request) {
      const { statusCode: status, headers, body } = await send(request);
      return { status, headers, body: await body.json().catch(() => undefined) };
    },
    close: () => (pool.destroyed ? Promise.resolve() : pool.destroy()),
  };
}
