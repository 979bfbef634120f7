import type { ServerResponse } from 'node:http';
import {
  ANSWER_SLOT_BYTES,
  type Bulkhead,
  connectorToReplicas,
  leaving,
  sendRefusal,
  whenClosed,
} from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { type Dispatcher, errors, Pool } from 'undici';
import { failPoint } from '../fail-points.ts';
import {
  ANSWER_TIMEOUT_MS,
  type Answered,
  IDLE_CONNECTION_MS,
  isGatewayHeader,
  type SendToService,
} from './forwarding.ts';
import { recordAnswer } from './made-by.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * The limit of an answer; a longer answer is an error. The longest real answer, a reconciliation with a
 * thousand differences, is several times shorter.
 */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Reads the whole answer before it sends any byte, so that the caller gets 503 and no partial answer if the
 * service dies. Without `abandons`, the request at the service continues if the caller hangs up.
 */
export function bufferedForwardTo(
  target: string,
  {
    connections,
    longAnswers,
    abandons = false,
  }: {
    /** The number of connections: one for each slot. */
    connections: number;
    /** The slots of long answers, which are occupied until the caller has read the answer. */
    longAnswers: Bulkhead;
    /** Whether the request at the service is cancelled if the caller hangs up. */
    abandons?: boolean;
  },
): { send: SendToService; close(): Promise<void> } {
  const pool = new Pool(new URL(target).origin, {
    connections,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    connect: connectorToReplicas({ timeout: CONNECT_TIMEOUT_MS }),
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  return {
    send(req, res, { ended, answered, holder, ...outgoing }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const request = { method: methodOf(req), path: req.url ?? '/', ...outgoing };
      const inSlots = (bytes: number, work: () => Promise<void>) =>
        longAnswers(holder, work, { count: Math.ceil(bytes / ANSWER_SLOT_BYTES) });
      const handler = answerInto(res, { resolve, reject, answered, inSlots });
      pool.dispatch(request, abandons ? endedWith(res, handler, ended) : handler);
      return promise;
    },
    close: () => (pool.destroyed ? Promise.resolve() : pool.destroy()),
  };
}

function endedWith(
  res: ServerResponse,
  handler: Dispatcher.DispatchHandler,
  ended?: AbortSignal,
): Dispatcher.DispatchHandler {
  return {
    ...handler,
    onRequestStart(controller) {
      const end = () => controller.abort(ended?.reason);
      ended?.addEventListener('abort', end, { once: true });
      if (ended?.aborted) end();
      whenClosed(res, () => controller.abort(new Error('the caller hung up')));
    },
  };
}

export function isTooLong(error: unknown): boolean {
  return error instanceof errors.ResponseExceededMaxSizeError;
}

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * Collects an answer and sends it. This costs half of undici's `request`, which creates a stream of the body.
 */
function answerInto(
  res: ServerResponse,
  {
    resolve,
    reject,
    answered,
    inSlots,
  }: {
    resolve: () => void;
    reject: (error: Error) => void;
    answered?: Answered | undefined;
    inSlots: (bytes: number, work: () => Promise<void>) => Promise<void>;
  },
): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Headers = {};
  const chunks: Buffer[] = [];
  return {
    onRequestStart: () => undefined,
    onResponseStart(_controller, statusCode, received) {
      status = statusCode;
      headers = received;
    },
    onResponseData: (_controller, chunk) => void chunks.push(chunk),
    onResponseEnd() {
      failPoint('request.forwarded');
      const body = Buffer.concat(chunks);
      const passOn = () => {
        if (res.destroyed) return resolve();
        const send = () => {
          pass(res, { status, headers, body });
          resolve();
          return leaving(res, body.length);
        };
        if (body.length <= ANSWER_SLOT_BYTES) return void send();
        inSlots(body.length, send).catch((error) => {
          if (!(error instanceof Refusal)) return reject(error);
          sendRefusal(res, error);
          resolve();
        });
      };
      if (answered) answered(status, body).then(passOn).catch(reject);
      else passOn();
    },
    onResponseError: (_controller, error) => reject(error),
  };
}

function pass(
  res: ServerResponse,
  { status, headers, body }: { status: number; headers: Headers; body: Buffer },
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !isGatewayHeader(name)) res.setHeader(name, value);
  }
  res.statusCode = status;
  recordAnswer(res, body);
  // A latin1 string has one byte for each character, and node sends it in one packet with the headers.
  res.writeHead(status).end(body.toString('latin1'), 'latin1');
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const satisfies Dispatcher.HttpMethod[];

function methodOf(req: { method?: string | undefined }): Dispatcher.HttpMethod {
  const method = METHODS.find((one) => one === req.method);
  if (method) return method;
  throw new Error(`no endpoint has the method ${req.method}`);
}
