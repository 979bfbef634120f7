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
  /** Handlers by event type. The endpoint answers 200 to an event without a handler. */
  on: WebhookHandlers;
  /**
   * A function that gets each refused request and each error of a handler. The default writes errors of
   * handlers to `console.error`.
   */
  onError?: (error: unknown) => void;
};

export type WebhookHandlers = {
  [E in WebhookEventType]?: (event: WebhookPost<E>) => unknown;
};

/** The endpoint's answer. After any status except 2xx, the platform delivers the event again. */
export interface WebhookAnswer {
  status: 200 | 401 | 500;
  body: string;
}

export type Receive = (rawBody: RawBody, headers: WebhookHeaders) => Promise<WebhookAnswer>;

/**
 * Returns a function that verifies a delivery, calls the event's handler and returns the answer. Use it in
 * frameworks for which this package has no handler.
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
