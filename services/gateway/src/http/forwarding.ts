import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Holder } from '@plataforma/http';

export { IDLE_CONNECTION_MS } from '@plataforma/http';

export type Answered = (status: number, body: Buffer) => Promise<void>;

/** The part of a request that the gateway builds for a service, apart from method and path. */
interface Outgoing {
  /** Called before the answer is passed on, even when the caller has hung up. */
  answered?: Answered | undefined;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The caller, to whose share of memory a long answer counts. */
  holder: Holder;
  /** Ends a long poll, or a file that is being sent. */
  ended?: AbortSignal | undefined;
}

/** Sends a request to its service and the answer to `res`. Rejects when the service does not answer. */
export type SendToService = (req: IncomingMessage, res: ServerResponse, outgoing: Outgoing) => Promise<void>;

/** The longest wait for the head of an answer, and between two pieces of its body. */
export const ANSWER_TIMEOUT_MS = 25_000;

/**
 * Headers that the gateway sets itself and never passes on: those of a connection (RFC 9110, 7.6.1), of CORS,
 * of cookies, and those already set.
 */
const OURS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-request-id|x-internal-.*|set-cookie|server|access-control-.*)$/;

export function isGatewayHeader(header: string): boolean {
  return OURS.test(header);
}
