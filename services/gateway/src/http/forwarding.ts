import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Holder } from '@plataforma/http';

export { IDLE_CONNECTION_MS } from '@plataforma/http';

/** Receives a service's answer. */
export type Answered = (status: number, body: Buffer) => Promise<void>;

/** The part of a request that the gateway builds for a service, besides method and path. */
interface Outgoing {
  /** Called before the answer is passed on, also when its caller is gone. */
  answered?: Answered | undefined;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The caller, whose share of memory a long answer takes. */
  holder: Holder;
  /** Ends a request that waits, or a file on its way. */
  ended?: AbortSignal | undefined;
}

/** Sends a request to its service and the answer to `res`. Rejects without an answer. */
export type SendToService = (req: IncomingMessage, res: ServerResponse, outgoing: Outgoing) => Promise<void>;

/** To the head of the answer, and between two pieces of it. */
export const ANSWER_TIMEOUT_MS = 25_000;

/**
 * Headers of an answer that are ours to give: those about a connection (RFC 9110, 7.6.1), those that let browsers in
 * or make them keep something, and those we have set already.
 */
const OURS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-request-id|x-internal-.*|set-cookie|server|access-control-.*)$/;

export function isGatewayHeader(header: string): boolean {
  return OURS.test(header);
}
