import type { WebhookEventType, WebhookPost } from '@plataforma/contracts';
import {
  optionsOf,
  type RawBody,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookSignatureError,
} from './verify.ts';

export type WebhookOptions = VerifyOptions & {
  /** Handlers by event. An event without a handler is answered 200. */
  on: WebhookHandlers;
  /**
   * Receives refused requests and errors of handlers. Without it, errors of handlers go to `console.error`.
   */
  onError?: (error: unknown) => void;
};

export type WebhookHandlers = {
  [E in WebhookEventType]?: (event: WebhookPost<E>) => unknown;
};

/** The endpoint's answer. Any status except 2xx causes another delivery. */
export interface WebhookAnswer {
  status: 200 | 401 | 500;
  body: string;
}

export type Receive = (rawBody: RawBody, headers: WebhookHeaders) => Promise<WebhookAnswer>;

/**
 * Returns a function that verifies a delivery, calls the event's handler and returns the answer. Use it in
 * frameworks without a handler here.
 */
export function createReceiver(options: WebhookOptions): Receive {
  optionsOf(options);
  const { on, onError = logUnexpected } = options;
  return async (rawBody, headers) => {
    try {
      const event = await verifyWebhook(rawBody, headers, options);
      await handle(on, event);
      return { status: 200, body: '{"received":true}' };
    } catch (error) {
      onError(error);
      if (!(error instanceof WebhookSignatureError)) return { status: 500, body: '{"error":"not handled"}' };
      return { status: 401, body: JSON.stringify({ error: error.message }) };
    }
  };
}

function handle<E extends WebhookEventType>(on: WebhookHandlers, event: WebhookPost<E>): unknown {
  return on[event.event]?.(event);
}

/** Logs no request without a valid signature, so that strangers can't fill the log. */
function logUnexpected(error: unknown): void {
  if (!(error instanceof WebhookSignatureError)) console.error(error);
}
