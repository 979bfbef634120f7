import { connectorToReplicas, FORWARDED_FOR_IGNORED, IDLE_CONNECTION_MS } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { asCall, type Log } from '@plataforma/observe';
import { type Dispatcher, Pool } from 'undici';
import { z } from 'zod';

export interface GatewayRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** Includes the query. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string | null;
  signal?: AbortSignal;
}

export type GatewayAnswer = Dispatcher.ResponseData;

/** A short answer with its parsed body. */
export interface GatewayReply {
  status: number;
  body: unknown;
  headers: GatewayAnswer['headers'];
}

/** The public API, without privileges for this service. */
export interface Gateway {
  /** Throws SERVICE_UNAVAILABLE when no answer begins. */
  send(request: GatewayRequest): Promise<GatewayAnswer>;
  ask(request: GatewayRequest): Promise<GatewayReply>;
  close(): Promise<void>;
}

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string().default('') }) });

/** Returns the refusal in an answer. Both texts are empty when the body holds no refusal. */
export function refusalIn(body: unknown): { code: string; message: string } {
  return refusal.safeParse(body).data?.error ?? { code: '', message: '' };
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the gateway waits for a service, and longer than an endpoint waits for events. */
const ANSWER_TIMEOUT_MS = 40_000;

const UNTRUSTED =
  'the gateway does not believe whose address web forwards: all browsers share one limit of requests and ' +
  'of log-ins that fail; add the addresses of web, and of every proxy between, to the TRUSTED_PROXIES of ' +
  'the gateway';

/** Opens a pool of connections. Log-ins, buyers and pages use separate pools, so that none delays another. */
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
      const again = 'no answer came from the API: look first whether a change was made, then try again';
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
