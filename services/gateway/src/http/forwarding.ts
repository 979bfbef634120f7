import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Holder } from '@plataforma/http';

export { IDLE_CONNECTION_MS } from '@plataforma/http';

export type Answered = (status: number, body: Buffer) => Promise<void>;

/** The content of a request that the gateway sends to a service, without method and path. */
interface Outgoing {
  /**
   * A function that gets the status and the body of an answer before the caller gets the answer, even if the
   * caller has hung up.
   */
  answered?: Answered | undefined;
  headers: Record<string, string>;
  body: Buffer | null;
  /** The caller. A long answer counts towards the share of memory that this caller may use. */
  holder: Holder;
  /** A signal that aborts when the caller loses access. It ends a long poll, or a file that is being sent. */
  ended?: AbortSignal | undefined;
}

/** Sends a request to its service and writes the answer to `res`. Rejects if the service does not answer. */
export type SendToService = (req: IncomingMessage, res: ServerResponse, outgoing: Outgoing) => Promise<void>;

/** The longest wait for the headers of an answer, and between two chunks of its body. */
export const ANSWER_TIMEOUT_MS = 25_000;

/**
 * Headers that are not copied from a service's answer. They belong to a connection (RFC 9110, 7.6.1), to CORS
 * or to cookies, or the gateway sets them itself.
 */
const OURS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|date|x-request-id|x-internal-.*|set-cookie|server|access-control-.*)$/;

export function isGatewayHeader(header: string): boolean {
  return OURS.test(header);
}
