import { createReceiver, type Receive, type WebhookOptions } from './handler.ts';
import type { RawBody } from './verify.ts';
import { MAX_BYTES, wholeOf } from './whole-body.ts';

/** The part of an Express or Node request that the handler uses. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  readableDidRead?: boolean;
  body?: unknown;
  rawBody?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Returns a handler for Express and Node's `http`: `app.post('/webhooks', expressWebhook({ secret, on }))`.
 * It reads the body itself: mount it before `express.json()`, or after `express.raw({ type: '*\/*' })`.
 */
export function expressWebhook(
  options: WebhookOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = createReceiver(options);
  return async (request, response) => {
    const { status, body } = await answered(request, receive).catch((error) => {
      // An interrupted upload is not logged. A TypeError is logged, because it shows a mistake of the setup:
      // another parser has already read the body.
      if (options.onError) options.onError(error);
      else if (error instanceof TypeError) console.error(error);
      return { status: 500, body: '{"error":"not read"}' };
    });
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };
}

async function answered(request: NodeRequest, receive: Receive): Promise<{ status: number; body: string }> {
  const rawBody = await rawBodyOf(request);
  if (rawBody === null) return { status: 413, body: `{"error":"more than ${MAX_BYTES} bytes"}` };
  return receive(rawBody, request.headers);
}

async function rawBodyOf(request: NodeRequest): Promise<RawBody | null> {
  for (const read of [request.rawBody, request.body]) {
    if (typeof read === 'string' || read instanceof ArrayBuffer || ArrayBuffer.isView(read)) return read;
  }
  if (request.readableDidRead) {
    throw new TypeError('the body was parsed before expressWebhook: mount it before express.json()');
  }
  return wholeOf(request);
}
